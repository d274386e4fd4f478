import type { SecretProblem } from '@dostar/client/app-lock';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { CustomPasswordInput } from '../../../ui/custom-password-input.tsx';

interface NewSecretFieldsProps {
  method: 'pin' | 'passphrase';
  problem: SecretProblem | 'differs' | undefined;
}

/** Form fields `secret` and `again`. */
export function NewSecretFields({ method, problem }: NewSecretFieldsProps) {
  const { t } = useTranslation('lock');
  const isPin = method === 'pin';
  const keys = isPin ? { inputMode: 'numeric' as const } : {};
  return (
    <>
      <CustomPasswordInput
        {...keys}
        label={t(isPin ? 'fields.newPin' : 'fields.newPassphrase')}
        name="secret"
        autoComplete="off"
        hint={t(isPin ? 'fields.pinHint' : 'fields.passphraseHint')}
        error={problem !== undefined && problem !== 'differs' ? t(`problems.${problem}`) : undefined}
      />
      <CustomPasswordInput
        {...keys}
        label={t('fields.again')}
        name="again"
        autoComplete="off"
        error={problem === 'differs' ? t('problems.differs') : undefined}
      />
    </>
  );
}
