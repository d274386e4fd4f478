import { Radio as Base } from '@base-ui/react/radio';
import { RadioGroup as BaseGroup } from '@base-ui/react/radio-group';
import { type ReactNode, useId } from 'react';

interface RadioGroupProps<T extends string> {
  label: string;
  /** Null: nothing is chosen yet. */
  value?: T | null;
  defaultValue?: T;
  disabled?: boolean;
  onValueChange?: (value: T) => void;
  children: ReactNode;
}

export function RadioGroup<T extends string>({ label, children, onValueChange, ...rest }: RadioGroupProps<T>) {
  const id = useId();
  return (
    <BaseGroup {...rest} aria-labelledby={id} onValueChange={(value) => value !== null && onValueChange?.(value)}>
      <p id={id} className="mb-1 font-semibold">
        {label}
      </p>
      {children}
    </BaseGroup>
  );
}

interface RadioProps {
  value: string;
  disabled?: boolean;
  children: ReactNode;
}

export function Radio({ value, disabled = false, children }: RadioProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-3 py-1.5 has-data-disabled:cursor-not-allowed has-data-disabled:opacity-55">
      <Base.Root
        value={value}
        disabled={disabled}
        className="flex size-6 shrink-0 items-center justify-center rounded-round border-[1.5px] border-field-line bg-surface transition-colors data-checked:border-accent data-checked:bg-accent"
      >
        <Base.Indicator className="size-2.5 rounded-round bg-on-accent" />
      </Base.Root>
      <span>{children}</span>
    </label>
  );
}
