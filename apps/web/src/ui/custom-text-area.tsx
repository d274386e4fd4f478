import { type ComponentProps, useId } from 'react';
import { CustomLabel } from './custom-label.tsx';
import { fieldClass } from './field-class.ts';
import { FieldNote } from './field-note.tsx';

interface CustomTextAreaProps extends Omit<ComponentProps<'textarea'>, 'className'> {
  label: string;
  hint?: string;
  error?: string | undefined;
}

/** Grows with its text, up to eight lines. */
export function CustomTextArea({ label, hint, error, id, rows = 3, ...rest }: CustomTextAreaProps) {
  const made = useId();
  const fieldId = id ?? made;
  const noteId = `${fieldId}-note`;
  const hasError = error !== undefined;
  return (
    <div>
      <CustomLabel htmlFor={fieldId}>{label}</CustomLabel>
      <textarea
        {...rest}
        id={fieldId}
        rows={rows}
        aria-invalid={hasError || undefined}
        aria-describedby={noteId}
        className={fieldClass(hasError, 'block max-h-56 min-h-13 resize-y px-4 py-3.5 field-sizing-content')}
      />
      <FieldNote id={noteId} hint={hint} error={error} />
    </div>
  );
}
