import { X } from 'lucide-react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { formatPercent } from '../../../core/i18n/format-number.ts';
import { useLocale } from '../../../core/i18n/use-locale.ts';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import type { Preparation } from '../video/preparations.ts';

/** A video before its upload: the progress, or another way to send it after a failure. */
export function PreparationRow({ preparation }: { preparation: Preparation }) {
  const { t } = useTranslation('chat');
  const { code } = useLocale();
  const { name, progress, cancel, offer } = preparation;
  const percent = formatPercent(code, Math.round(progress * 100));
  return (
    <li className="flex items-center gap-3 pl-2">
      <div className="min-w-0 grow">
        <p dir="auto" className="truncate">
          {name}
        </p>
        {offer === undefined ? (
          <>
            <p className="figures mb-1 text-small text-muted">{t('attach.preparing', { percent })}</p>
            <ProgressBar value={progress * 100} label={t('attach.preparingName', { name })} text={percent} />
          </>
        ) : (
          <>
            <p role="alert" className="text-small text-danger">
              {t(offer.kind === 'original' ? 'attach.notSmaller' : 'attach.uncleanable')}
            </p>
            <div className="-ml-5">
              <CustomButton kind="quiet" onClick={offer.accept}>
                {t(offer.kind === 'original' ? 'attach.sendOriginal' : 'attach.sendAsFile')}
              </CustomButton>
            </div>
          </>
        )}
      </div>
      <IconButton label={t('media.cancel')} icon={<X aria-hidden className="size-5" />} onClick={cancel} />
    </li>
  );
}
