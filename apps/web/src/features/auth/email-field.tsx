import { useTranslation } from '../../core/i18n/use-translation.ts';
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
