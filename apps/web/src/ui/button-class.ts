import { cx } from './cx.ts';

export type ButtonKind = 'primary' | 'secondary' | 'quiet' | 'danger';
export type ButtonSize = 'medium' | 'large';

const kinds: Record<ButtonKind, string> = {
  primary: 'bg-accent text-on-accent border-transparent hover:bg-accent-strong active:bg-accent-strong',
  secondary: 'bg-transparent text-accent border-field-line/55 hover:bg-accent-soft active:bg-accent-soft',
  quiet: 'bg-transparent text-accent border-transparent hover:bg-accent-soft active:bg-accent-soft',
  danger: 'bg-danger text-on-danger border-transparent hover:brightness-110 active:brightness-95',
};

const sizes: Record<ButtonSize, string> = {
  medium: 'min-h-11 px-5 py-2 text-body rounded-control',
  large: 'min-h-13 px-6 py-3 text-field rounded-field',
};

interface ButtonLook {
  kind?: ButtonKind;
  size?: ButtonSize;
  isWide?: boolean;
}

/** The look of a button, also for links that act like one. */
export function buttonClass({ kind = 'primary', size = 'medium', isWide = false }: ButtonLook): string {
  return cx(
    'relative inline-flex items-center justify-center gap-2.5 border-[1.5px] text-center font-semibold transition-colors select-none',
    'disabled:cursor-not-allowed disabled:opacity-55 aria-busy:cursor-progress aria-busy:opacity-55',
    kinds[kind],
    sizes[size],
    isWide && 'w-full',
  );
}
