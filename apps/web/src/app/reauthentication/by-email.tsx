import type { SecondStep } from '@dostar/protocol/contract/second-factors';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { openReauthentication } from '../../core/session/auth.ts';
import { codeOf } from '../../core/lib/failure.ts';
import { useCodeAttempt } from '../../core/session/use-code-attempt.ts';
import { useLocale } from '../../core/i18n/use-locale.ts';
import { CodeField } from '../../ui/code-field.tsx';
import { CustomButton } from '../../ui/custom-button.tsx';
import { WaitButton } from '../../ui/wait-button.tsx';

interface ReauthenticateByEmailProps {
  /** `owes`: the second factors that are still owed. */
  onVerified: (owes: SecondStep[]) => void;
  onCancel: () => void;
}

/** For people with neither a password nor a passkey. */
export function ReauthenticateByEmail({ onVerified, onCancel }: ReauthenticateByEmailProps) {
  const { t } = useTranslation('factors');
  const { code: locale } = useLocale();
  const [resendAt, setResendAt] = useState<number>();
  const { problem, isWaiting, attempts, submit, fail, clear } = useCodeAttempt(async (code) => {
    onVerified(await openReauthentication().proveByCode(code));
  });

  async function send(): Promise<void> {
    try {
      setResendAt(await openReauthentication().sendCode(locale));
      clear();
    } catch (error) {
      if (codeOf(error) !== 'too_soon') fail(error);
    }
  }

  useEffect(() => {
    void send();
    // Sends the first email when the dialog opens; a press sends another one.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  return (
    <div className="mt-5">
      <CodeField
        key={attempts}
        label={t('reauthentication.code')}
        hint={t('reauthentication.codeSent')}
        error={problem && t(`problems.${problem}`)}
        disabled={isWaiting}
        onComplete={(code) => void submit(code)}
      />
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <WaitButton
          notBefore={resendAt ?? 0}
          label={t('common.resend')}
          waitLabel={(count) => t('common.resendIn', { count })}
          onClick={() => void send()}
        />
        <CustomButton kind="secondary" onClick={onCancel}>
          {t('common.cancel')}
        </CustomButton>
      </div>
    </div>
  );
}
