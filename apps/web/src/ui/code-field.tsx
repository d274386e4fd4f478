import { OTPField } from '@base-ui/react/otp-field';
import { useId } from 'react';
import { useTranslation } from '../core/i18n/use-translation.ts';
import { CustomLabel } from './custom-label.tsx';
import { fieldClass } from './field-class.ts';
import { FieldNote } from './field-note.tsx';

interface CodeFieldProps {
  label: string;
  length?: number;
  hint?: string;
  error?: string | undefined;
  disabled?: boolean;
  /** For a page without other fields. */
  autoFocus?: boolean;
  onComplete?: (code: string) => void;
}

/** A one-time code: pasting fills all boxes, and phones offer the code from the email. */
export function CodeField({
  label,
  length = 6,
  hint,
  error,
  disabled = false,
  autoFocus = false,
  onComplete,
}: CodeFieldProps) {
  const { t } = useTranslation('ui');
  const id = useId();
  const noteId = `${id}-note`;
  return (
    <div>
      <CustomLabel id={`${id}-label`} htmlFor={id}>
        {label}
      </CustomLabel>
      <OTPField.Root
        id={id}
        length={length}
        disabled={disabled}
        aria-labelledby={`${id}-label`}
        aria-describedby={noteId}
        onValueComplete={(code) => onComplete?.(code)}
        className="flex max-w-[26rem] gap-2"
      >
        {Array.from({ length }, (_, index) => (
          <OTPField.Input
            key={index}
            autoFocus={autoFocus && index === 0}
            aria-label={t('code.label', { index: index + 1, length })}
            aria-invalid={error !== undefined || undefined}
            className={fieldClass(
              error !== undefined,
              'figures h-14 min-w-0 grow basis-0 text-center text-title font-bold',
            )}
          />
        ))}
      </OTPField.Root>
      <FieldNote id={noteId} hint={hint} error={error} />
    </div>
  );
}
