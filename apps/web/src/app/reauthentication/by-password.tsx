import type { SecondStep } from '@dostar/protocol/contract/second-factors';
import type { FormEvent } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { openReauthentication } from '../../core/session/auth.ts';
import { useCodeAttempt } from '../../core/session/use-code-attempt.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { CustomPasswordInput } from '../../ui/custom-password-input.tsx';

interface ReauthenticateByPasswordProps {
  /** `owes`: the second factors that are still owed. */
  onVerified: (owes: SecondStep[]) => void;
  onCancel: () => void;
}

export function ReauthenticateByPassword({ onVerified, onCancel }: ReauthenticateByPasswordProps) {
  const { t } = useTranslation('factors');
  const { problem, isWaiting, submit } = useCodeAttempt(async (password) => {
    onVerified(await openReauthentication().proveByPassword(password));
  });

  function handleSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const password = new FormData(event.currentTarget).get('password');
    void submit(typeof password === 'string' ? password : '');
  }

  return (
    <form noValidate onSubmit={handleSubmit} className="mt-5">
      <CustomPasswordInput
        label={t('reauthentication.password')}
        name="password"
        autoFocus
        error={problem && t(`problems.${problem}`)}
      />
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <CustomButton kind="secondary" onClick={onCancel}>
          {t('common.cancel')}
        </CustomButton>
        <CustomButton type="submit" isWaiting={isWaiting}>
          {t('common.continue')}
        </CustomButton>
      </div>
    </form>
  );
}
