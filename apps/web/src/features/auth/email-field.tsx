import { useTranslation } from '../../core/i18n/use-translation.ts';
import { CustomInput } from '../../ui/custom-input.tsx';

interface EmailFieldProps {
  hint?: string;
  error: string | undefined;
}

export function EmailField({ hint, error }: EmailFieldProps) {
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
      {...(hint === undefined ? {} : { hint })}
    />
  );
}
