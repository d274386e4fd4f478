import { Checkbox as Base } from '@base-ui/react/checkbox';
import { Check, Minus } from 'lucide-react';
import type { ReactNode } from 'react';

interface CheckboxProps {
  children: ReactNode;
  name?: string;
  checked?: boolean;
  defaultChecked?: boolean;
  indeterminate?: boolean;
  disabled?: boolean;
  onCheckedChange?: (checked: boolean) => void;
}

export function Checkbox({ children, indeterminate = false, ...rest }: CheckboxProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-3 py-1.5 has-data-disabled:cursor-not-allowed has-data-disabled:opacity-55">
      <Base.Root
        {...rest}
        indeterminate={indeterminate}
        className="flex size-6 shrink-0 items-center justify-center rounded-chip border-[1.5px] border-field-line bg-surface text-on-accent transition-colors data-checked:border-accent data-checked:bg-accent data-indeterminate:border-accent data-indeterminate:bg-accent"
      >
        <Base.Indicator className="flex">
          {indeterminate ? (
            <Minus aria-hidden className="size-4" strokeWidth={3} />
          ) : (
            <Check aria-hidden className="size-4" strokeWidth={3} />
          )}
        </Base.Indicator>
      </Base.Root>
      <span>{children}</span>
    </label>
  );
}
