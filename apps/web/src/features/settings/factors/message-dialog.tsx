import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { codeOf } from '../../../core/lib/failure.ts';
import { withReauthentication } from '../../../core/reauthentication/reauthentication.ts';
import { useCodeAttempt } from '../../../core/session/use-code-attempt.ts';
import { useLocale } from '../../../core/i18n/use-locale.ts';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { CodeField } from '../../../ui/code-field.tsx';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { CustomInput } from '../../../ui/custom-input.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { WaitButton } from '../../../ui/wait-button.tsx';
import { loadFactors } from './load-factors.ts';

interface MessageDialogProps {
  kind: 'email' | 'phone';
  onClose: () => void;
  onConfirmed: (recoveryCodes: string[] | null, endOthers: boolean) => void;
}

/** Sends a code to the email or phone number, and turns the factor on when the user enters it. */
export function MessageDialog({ kind, onClose, onConfirmed }: MessageDialogProps) {
  const { t } = useTranslation('factors');
  const { code: locale } = useLocale();
  const [number, setNumber] = useState('');
  const [isSending, setIsSending] = useState(false);
  const [isBadNumber, setIsBadNumber] = useState(false);
  const [resendAt, setResendAt] = useState<number>();
  const [endOthers, setEndOthers] = useState(false);
  const { problem, isWaiting, attempts, submit, fail, clear } = useCodeAttempt(async (code) => {
    onConfirmed(await withReauthentication(async () => (await loadFactors()).confirm(kind, code)), endOthers);
  });

  async function send(): Promise<void> {
    setIsSending(true);
    setIsBadNumber(false);
    clear();
    try {
      const factors = await loadFactors();
      const start = () => (kind === 'email' ? factors.startEmail(locale) : factors.startPhone(number, locale));
      setResendAt(await withReauthentication(start));
    } catch (error) {
      if (codeOf(error) === 'invalid_request') setIsBadNumber(true);
      else if (codeOf(error) !== 'reauthenticate') fail(error);
    } finally {
      setIsSending(false);
    }
  }

  function handleSubmit(event: FormEvent): void {
    event.preventDefault();
    void send();
  }

  return (
    <Dialog isOpen onOpenChange={onClose} title={t(`message.title.${kind}`)} description={t(`message.text.${kind}`)}>
      {resendAt === undefined ? (
        <form noValidate onSubmit={handleSubmit} className="mt-5 flex flex-col gap-5">
          {kind === 'phone' && (
            <CustomInput
              label={t('message.number')}
              hint={t('message.numberHint')}
              type="tel"
              autoComplete="tel"
              value={number}
              onChange={(event) => setNumber(event.target.value)}
              error={isBadNumber ? t('message.badNumber') : undefined}
            />
          )}
          {problem && <p className="text-small text-danger">{t(`problems.${problem}`)}</p>}
          <div className="flex justify-end">
            <CustomButton type="submit" isWaiting={isSending}>
              {t('message.send')}
            </CustomButton>
          </div>
        </form>
      ) : (
        <div className="mt-5 flex flex-col items-start gap-4">
          <Checkbox checked={endOthers} onCheckedChange={setEndOthers}>
            {t('common.endOthers')}
          </Checkbox>
          <CodeField
            key={attempts}
            autoFocus
            label={t(`step.code.${kind}`)}
            error={problem && t(`problems.${problem}`)}
            disabled={isWaiting}
            onComplete={(code) => void submit(code)}
          />
          <WaitButton
            notBefore={resendAt}
            label={t('common.resend')}
            waitLabel={(count) => t('common.resendIn', { count })}
            isWaiting={isSending}
            onClick={() => void send()}
          />
        </div>
      )}
    </Dialog>
  );
}
