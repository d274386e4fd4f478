import { Switch as Base } from '@base-ui/react/switch';
import type { ReactNode } from 'react';

interface SwitchProps {
  children: ReactNode;
  hint?: string;
  checked?: boolean;
  defaultChecked?: boolean;
  disabled?: boolean;
  onCheckedChange?: (checked: boolean) => void;
}

export function Switch({ children, hint, ...rest }: SwitchProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center justify-between gap-4 py-1.5 has-data-disabled:cursor-not-allowed has-data-disabled:opacity-55">
      <span>
        <span className="block">{children}</span>
        {hint !== undefined && <span className="block text-small text-muted">{hint}</span>}
      </span>
      <Base.Root
        {...rest}
        className="flex h-7 w-12 shrink-0 rounded-round border-[1.5px] border-field-line bg-surface-2 p-[3px] transition-colors data-checked:border-accent data-checked:bg-accent"
      >
        <Base.Thumb className="size-[1.125rem] rounded-round bg-field-line transition-transform move data-checked:translate-x-5 data-checked:bg-on-accent" />
      </Base.Root>
    </label>
  );
}
