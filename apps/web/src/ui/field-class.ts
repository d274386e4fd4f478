import { cx } from './cx.ts';

/** The look that all text fields share. */
export function fieldClass(hasError: boolean, ...more: (string | false | undefined)[]): string {
  return cx(
    'w-full rounded-field border-[1.5px] bg-surface text-field text-text transition-colors',
    'placeholder:text-muted [&[readonly]]:bg-surface-2 disabled:cursor-not-allowed disabled:opacity-60',
    hasError
      ? 'border-danger focus-visible:outline-danger'
      : 'border-field-line/60 hover:border-field-line focus-visible:border-accent',
    'focus-visible:outline-2 focus-visible:outline-offset-0',
    ...more,
  );
}
