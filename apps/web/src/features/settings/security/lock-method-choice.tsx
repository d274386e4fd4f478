import type { LockMethod } from '@dostar/client/app-lock';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { Radio, RadioGroup } from '../../../ui/radio.tsx';
import type { LockPasskeys } from './use-lock-passkeys.ts';

interface LockMethodChoiceProps {
  method: LockMethod;
  passkeys: LockPasskeys;
  onChoose: (method: LockMethod) => void;
}

/** An unavailable passkey choice is shown disabled, with the reason. */
export function LockMethodChoice({ method, passkeys, onChoose }: LockMethodChoiceProps) {
  const { t } = useTranslation('lock');
  const reason = typeof passkeys === 'object' || passkeys === 'loading' ? undefined : passkeys;
  return (
    <RadioGroup label={t('set.method')} value={method} onValueChange={onChoose}>
      <Radio value="passkey" disabled={typeof passkeys !== 'object'}>
        {t('set.passkey')}
        {reason && <span className="block text-small">{t(`set.${reason}`)}</span>}
      </Radio>
      <Radio value="passphrase">{t('set.passphrase')}</Radio>
      <Radio value="pin">{t('set.pin')}</Radio>
    </RadioGroup>
  );
}
