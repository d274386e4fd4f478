import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { buttonClass } from '../../../ui/button-class.ts';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import type { DoubtfulLink } from '../text/doubtful-link.ts';

interface LinkDialogProps {
  link: DoubtfulLink;
  onClose: () => void;
}

/** Shows the address as the browser parses it: a host in another script appears in punycode. */
export function LinkDialog({ link: { href, doubt }, onClose }: LinkDialogProps) {
  const { t } = useTranslation('chat');
  const address = URL.parse(href)?.href ?? href;
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('link.title')}
      description={t(`link.${doubt}`)}
      actions={
        <>
          <CustomButton kind="secondary" onClick={onClose}>
            {t('link.cancel')}
          </CustomButton>
          <a href={href} target="_blank" rel="noopener noreferrer" className={buttonClass({})} onClick={onClose}>
            {t('link.open')}
          </a>
        </>
      }
    >
      <p
        dir="ltr"
        className="mt-4 max-h-40 overflow-y-auto rounded-chip bg-current/8 p-3 font-mono text-small break-all"
      >
        {address}
      </p>
    </Dialog>
  );
}
