import { useTranslation } from '../../core/i18n/use-translation.ts';
import { CustomInput } from '../../ui/custom-input.tsx';

interface YearFieldsProps {
  from: string;
  to: string;
  problemAt: (end: 'from' | 'to') => string | undefined;
  onChange: (changes: { from?: string; to?: string }) => void;
}

/** Start year and optional end year. */
export function YearFields({ from, to, problemAt, onChange }: YearFieldsProps) {
  const { t } = useTranslation('profile');
  return (
    <>
      <CustomInput
        label={t('fields.from')}
        inputMode="numeric"
        maxLength={4}
        value={from}
        error={problemAt('from')}
        onChange={(event) => onChange({ from: event.target.value })}
      />
      <CustomInput
        label={t('fields.to')}
        hint={t('fields.toHint')}
        inputMode="numeric"
        maxLength={4}
        value={to}
        error={problemAt('to')}
        onChange={(event) => onChange({ to: event.target.value })}
      />
    </>
  );
}
