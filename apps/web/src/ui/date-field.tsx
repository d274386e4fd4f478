import { useId, useState } from 'react';
import { useTranslation } from '../core/i18n/use-translation.ts';
import { fieldClass } from './field-class.ts';
import { FieldNote } from './field-note.tsx';

interface DateFieldProps {
  label: string;
  /** In the format `2001-05-29`. */
  defaultValue?: string;
  hint?: string;
  error?: string | undefined;
  disabled?: boolean;
  /** A complete, existing date, or undefined; `isEmpty` distinguishes a blank field from a half filled-in one. */
  onValueChange?: (date: string | undefined, isEmpty: boolean) => void;
}

const months = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] as const;

interface Parts {
  year: string;
  month: string;
  day: string;
}

function readParts(date: string | undefined): Parts {
  const [year = '', month = '', day = ''] = (date ?? '').split('-');
  return { year, month: month.replace(/^0/, ''), day: day.replace(/^0/, '') };
}

export function joinDate({ year, month, day }: Parts): string | undefined {
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  const at = new Date(Date.UTC(y, m - 1, d));
  const exists = year.length === 4 && at.getUTCMonth() === m - 1 && at.getUTCDate() === d;
  return exists ? `${year}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}` : undefined;
}

// The browser's own date field uses the browser's language, and has no Kazakh; so this has three plain fields.
export function DateField({ label, defaultValue, hint, error, disabled, onValueChange }: DateFieldProps) {
  const { t } = useTranslation('ui');
  const id = useId();
  const noteId = `${id}-note`;
  const [parts, setParts] = useState(() => readParts(defaultValue));
  const hasError = error !== undefined;

  function handleChange(change: Partial<Parts>): void {
    const next = { ...parts, ...change };
    setParts(next);
    onValueChange?.(
      joinDate(next),
      Object.values(next).every((part) => part === ''),
    );
  }

  return (
    <fieldset disabled={disabled} aria-describedby={noteId} className="min-w-0">
      <legend className="mb-1.5 font-semibold">{label}</legend>
      <div className="grid grid-cols-[4.5rem_minmax(0,1fr)_5.5rem] gap-2">
        <input
          aria-label={t('date.day')}
          placeholder={t('date.day')}
          aria-invalid={hasError || undefined}
          inputMode="numeric"
          maxLength={2}
          value={parts.day}
          onChange={(event) => handleChange({ day: event.target.value.replace(/\D/g, '') })}
          className={fieldClass(hasError, 'h-13 px-2 text-center')}
        />
        <select
          aria-label={t('date.month')}
          value={parts.month}
          onChange={(event) => handleChange({ month: event.target.value })}
          className={fieldClass(hasError, 'h-13 px-3', parts.month === '' && 'text-muted')}
        >
          <option value="">{t('date.month')}</option>
          {months.map((month) => (
            <option key={month} value={month}>
              {t(`date.months.m${month}`)}
            </option>
          ))}
        </select>
        <input
          aria-label={t('date.year')}
          placeholder={t('date.year')}
          inputMode="numeric"
          maxLength={4}
          value={parts.year}
          onChange={(event) => handleChange({ year: event.target.value.replace(/\D/g, '') })}
          className={fieldClass(hasError, 'h-13 px-2 text-center')}
        />
      </div>
      <FieldNote id={noteId} hint={hint} error={error} />
    </fieldset>
  );
}
