import type { ComponentProps, ReactNode } from 'react';
import { cx } from './cx.ts';
import { iconButtonClass } from './icon-button-class.ts';

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'className'> {
  /** The accessible name: a screen reader can't read the icon. */
  label: string;
  icon: ReactNode;
  kind?: 'quiet' | 'tinted' | 'primary';
}

export function IconButton({ label, icon, kind = 'quiet', ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      className={cx(
        iconButtonClass,
        kind === 'tinted' && 'bg-accent-soft text-accent hover:bg-accent-soft hover:text-accent-strong',
        kind === 'primary' && 'bg-accent text-on-accent hover:bg-accent-strong hover:text-on-accent',
      )}
    >
      {icon}
    </button>
  );
}
