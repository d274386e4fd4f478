import type { LockHeader, LockSecret } from '@dostar/client/app-lock';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { requestPasskeySecret } from '../../../core/session/app-lock.ts';
import { CustomPasswordInput } from '../../../ui/custom-password-input.tsx';

export type CurrentLock = Pick<LockHeader, 'method' | 'passkey' | 'lockAfterMinutes'>;

interface CurrentSecretProps {
  lock: CurrentLock;
  isWrong: boolean;
}

/** Form field `present`. For a passkey lock, the browser asks for the passkey on submit instead. */
export function CurrentSecret({ lock, isWrong }: CurrentSecretProps) {
  const { t } = useTranslation('lock');
  if (lock.method === 'passkey') {
    return isWrong && <p className="text-danger">{t('problems.wrongPasskey')}</p>;
  }
  const isPin = lock.method === 'pin';
  return (
    <CustomPasswordInput
      label={t(isPin ? 'fields.presentPin' : 'fields.presentPassphrase')}
      name="present"
      autoComplete="off"
      {...(isPin && { inputMode: 'numeric' as const })}
      error={isWrong ? t(isPin ? 'problems.wrongPin' : 'problems.wrongPassphrase') : undefined}
    />
  );
}

/** Undefined if the user closed the passkey prompt. */
export async function readCurrentSecret(
  { method, passkey }: CurrentLock,
  typed: string,
): Promise<LockSecret | undefined> {
  if (method !== 'passkey') return { method, text: typed };
  const secret = passkey && (await requestPasskeySecret(passkey.rpId, [passkey.credential]));
  return secret === 'unfit' ? undefined : secret;
}
