import { AccountId } from '@dostar/protocol/ids';
import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { openAppLock } from '../../core/session/app-lock.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { CustomPasswordInput } from '../../ui/custom-password-input.tsx';
import { useFailedAttempts } from './use-failed-attempts.ts';

interface SecretUnlockProps {
  account: string;
  method: 'pin' | 'passphrase';
  onUnlocked: () => void;
}

export function SecretUnlock({ account, method, onUnlocked }: SecretUnlockProps) {
  const { t } = useTranslation('lock');
  const [problem, setProblem] = useState<'required' | 'wrong' | 'failed'>();
  const [isWaiting, setIsWaiting] = useState(false);
  const attempts = useFailedAttempts();

  async function unlock(text: string): Promise<void> {
    setIsWaiting(true);
    setProblem(undefined);
    try {
      const isRight = await openAppLock().unlock(AccountId.parse(account), { method, text });
      if (isRight) return onUnlocked();
      attempts.add();
      setProblem('wrong');
    } catch {
      setProblem('failed');
    } finally {
      setIsWaiting(false);
    }
  }

  function handleSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (isWaiting || attempts.waits > 0) return;
    const form = event.currentTarget;
    const text = new FormData(form).get('secret');
    if (typeof text !== 'string' || text === '') return setProblem('required');
    void unlock(text);
    // Clears the field for the next attempt.
    form.reset();
  }

  function explain(): string | undefined {
    if (problem === undefined) return undefined;
    if (problem !== 'wrong') return t(`problems.${problem}`);
    const wrong = t(method === 'pin' ? 'problems.wrongPin' : 'problems.wrongPassphrase');
    return attempts.waits > 0 ? `${wrong}. ${t('problems.wait', { count: attempts.waits })}` : wrong;
  }

  return (
    <form noValidate onSubmit={handleSubmit} className="flex flex-col gap-4">
      <CustomPasswordInput
        label={t(`fields.${method}`)}
        name="secret"
        autoComplete="off"
        autoFocus
        {...(method === 'pin' && { inputMode: 'numeric' as const })}
        error={explain()}
      />
      <CustomButton type="submit" size="large" isWide isWaiting={isWaiting} disabled={attempts.waits > 0}>
        {t('screen.unlock')}
      </CustomButton>
    </form>
  );
}
