import { useTranslation } from 'react-i18next';
import { CustomInput } from '../../ui/custom-input.tsx';

export function EmailField({ error }: { error: string | undefined }) {
  const { t } = useTranslation('auth');
  return (
    <CustomInput
      label={t('fields.email')}
      name="email"
      type="email"
      inputMode="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      error={error}
    />
  );
}
