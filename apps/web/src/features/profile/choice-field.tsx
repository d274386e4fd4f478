import { useTranslation } from '../../core/i18n/use-translation.ts';
import { NativeSelect } from './native-select.tsx';

interface ChoiceFieldProps {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}

/** Select field with an empty choice. */
export function ChoiceField({ label, value, options, onChange }: ChoiceFieldProps) {
  const { t } = useTranslation('profile');
  return (
    <NativeSelect
      label={label}
      value={value}
      options={[{ value: '', label: t('private.unsaid') }, ...options]}
      onValueChange={onChange}
    />
  );
}
