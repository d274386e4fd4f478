import {
  checkPassphrase,
  checkPin,
  LOCK_AFTER_MINUTES,
  type LockMethod,
  type LockSecret,
  type NewLock,
  type SecretProblem,
} from '@dostar/client/app-lock';
import type { AccountId } from '@dostar/protocol/ids';
import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { requestPasskeySecret } from '../../../core/session/app-lock.ts';
import { showFeedback } from '../../../core/lib/feedback.ts';
import { readField } from '../../../forms/read-field.ts';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Select } from '../../../ui/select.tsx';
import { LockMethodChoice } from './lock-method-choice.tsx';
import { NewSecretFields } from './new-secret-fields.tsx';
import { type CurrentLock, CurrentSecret } from './current-secret.tsx';
import { useDelayName } from './use-delay-name.ts';
import { useLockChange } from './use-lock-change.ts';
import { useLockPasskeys } from './use-lock-passkeys.ts';

interface AppLockDialogProps {
  account: AccountId;
  /** The current lock, if any. */
  lock?: CurrentLock;
  pinDays: number;
  onDone: () => void;
  onClose: () => void;
}

type Problem = SecretProblem | 'differs';

const usualDelay = 15;

/** Sets or replaces the app lock. */
export function AppLockDialog({ account, lock, pinDays, onDone, onClose }: AppLockDialogProps) {
  const { t } = useTranslation('lock');
  const [method, setMethod] = useState<LockMethod>(lock?.method ?? 'passphrase');
  const [delay, setDelay] = useState(lock?.lockAfterMinutes ?? usualDelay);
  const [problem, setProblem] = useState<Problem>();
  const { change, isWrong, isWaiting } = useLockChange({ account, lock, done: 'set.done', onDone });
  const passkeys = useLockPasskeys();
  const nameDelay = useDelayName();

  async function readNext(text: string): Promise<NewLock | 'stopped'> {
    const secret = method === 'passkey' ? await askForPasskey() : { method, text };
    if (secret === 'unfit') showFeedback('error', t('problems.unfit'));
    return secret === 'unfit' || secret === undefined ? 'stopped' : { secret, lockAfterMinutes: delay };
  }

  async function askForPasskey(): Promise<LockSecret | 'unfit' | undefined> {
    return typeof passkeys === 'object' ? requestPasskeySecret(location.hostname, passkeys.credentials) : undefined;
  }

  function handleSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const [typed, text] = [readField(event, 'present'), readField(event, 'secret')];
    const found = method === 'passkey' ? undefined : (method === 'pin' ? checkPin : checkPassphrase)(text);
    const differs = method !== 'passkey' && text !== readField(event, 'again') ? 'differs' : undefined;
    setProblem(found ?? differs);
    if ((found ?? differs) === undefined) void change(typed, () => readNext(text));
  }

  const delays = LOCK_AFTER_MINUTES.map((minutes) => ({ value: String(minutes), label: nameDelay(minutes) }));
  return (
    <Dialog isOpen onOpenChange={onClose} title={t(lock ? 'set.changeTitle' : 'set.title')}>
      <form noValidate onSubmit={handleSubmit} className="mt-4 flex flex-col gap-4">
        {lock && <CurrentSecret lock={lock} isWrong={isWrong} />}
        <LockMethodChoice method={method} passkeys={passkeys} onChoose={setMethod} />
        {method === 'pin' && <p className="text-small text-muted">{t('card.pinCost', { days: pinDays })}</p>}
        {method !== 'passkey' && <NewSecretFields key={method} method={method} problem={problem} />}
        <Select
          label={t('set.after')}
          options={delays}
          value={String(delay)}
          onValueChange={(value) => setDelay(Number(value))}
        />
        <p className="text-small text-muted">{t('set.forgetting')}</p>
        <div className="flex flex-wrap justify-end gap-3">
          <CustomButton kind="secondary" onClick={onClose}>
            {t('set.cancel')}
          </CustomButton>
          <CustomButton type="submit" isWaiting={isWaiting}>
            {t('set.submit')}
          </CustomButton>
        </div>
      </form>
    </Dialog>
  );
}
