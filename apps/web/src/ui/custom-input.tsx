import { type ComponentProps, type ReactNode, useId } from 'react';
import { CustomLabel } from './custom-label.tsx';
import { fieldClass } from './field-class.ts';
import { FieldNote } from './field-note.tsx';

export interface CustomInputProps extends Omit<ComponentProps<'input'>, 'className' | 'size'> {
  label: string;
  hint?: string;
  error?: string | undefined;
  isOptional?: boolean;
  /** An element at the end of the field, such as a button; it must fit into 48 px. */
  trailing?: ReactNode;
}

export function CustomInput({ label, hint, error, isOptional, trailing, id, ...rest }: CustomInputProps) {
  const made = useId();
  const fieldId = id ?? made;
  const noteId = `${fieldId}-note`;
  const hasError = error !== undefined;
  return (
    <div>
      <CustomLabel htmlFor={fieldId} {...(isOptional === undefined ? {} : { isOptional })}>
        {label}
      </CustomLabel>
      <div className="relative">
        <input
          {...rest}
          id={fieldId}
          aria-invalid={hasError || undefined}
          aria-describedby={noteId}
          className={fieldClass(hasError, 'h-13 px-4', trailing !== undefined && 'pr-14')}
        />
        {trailing !== undefined && <div className="absolute inset-y-0 right-1 flex items-center">{trailing}</div>}
      </div>
      <FieldNote id={noteId} hint={hint} error={error} />
    </div>
  );
}
