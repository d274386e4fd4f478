import { Copy } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { showFeedback, successDuration } from '../../../core/lib/feedback.ts';
import { withReauthentication } from '../../../core/reauthentication/reauthentication.ts';
import { useCodeAttempt } from '../../../core/session/use-code-attempt.ts';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { CodeField } from '../../../ui/code-field.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { QrCode } from '../../../ui/qr-code.tsx';
import { loadFactors } from './load-factors.ts';

interface TotpDialogProps {
  secret: string;
  uri: string;
  onClose: () => void;
  onConfirmed: (recoveryCodes: string[] | null, endOthers: boolean) => void;
}

/** Groups of four characters, which are easier to type on another device. */
function inGroups(secret: string): string {
  return secret.replaceAll(/.{4}(?=.)/g, '$& ');
}

export function TotpDialog({ secret, uri, onClose, onConfirmed }: TotpDialogProps) {
  const { t } = useTranslation('factors');
  const [endOthers, setEndOthers] = useState(false);
  const { problem, isWaiting, attempts, submit } = useCodeAttempt(async (code) => {
    onConfirmed(await withReauthentication(async () => (await loadFactors()).confirm('totp', code)), endOthers);
  });

  async function handleCopy(): Promise<void> {
    await navigator.clipboard.writeText(secret);
    showFeedback('success', t('totp.copied'), successDuration);
  }

  return (
    <Dialog isOpen onOpenChange={onClose} title={t('totp.title')} description={t('totp.scan')}>
      <div className="mt-4 flex flex-col items-center gap-3">
        <QrCode value={uri} label={t('totp.qr')} />
        <p className="text-center text-small text-muted">{t('totp.type')}</p>
        <p className="flex items-center gap-1">
          <code className="text-center font-semibold tracking-wide">{inGroups(secret)}</code>
          <IconButton
            label={t('totp.copy')}
            icon={<Copy aria-hidden className="size-5" />}
            onClick={() => void handleCopy()}
          />
        </p>
      </div>
      <div className="mt-4 flex flex-col items-start gap-4">
        <Checkbox checked={endOthers} onCheckedChange={setEndOthers}>
          {t('common.endOthers')}
        </Checkbox>
        <CodeField
          key={attempts}
          label={t('totp.code')}
          error={problem && t(`problems.${problem}`)}
          disabled={isWaiting}
          onComplete={(code) => void submit(code)}
        />
      </div>
    </Dialog>
  );
}
