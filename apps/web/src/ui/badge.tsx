import type { ReactNode } from 'react';
import { cx } from './cx.ts';

interface BadgeProps {
  kind?: 'sun' | 'muted' | 'accent' | 'plain' | 'ok' | 'danger';
  children: ReactNode;
  /** Says what a number counts, for screen readers. */
  label?: string;
}

const kinds = {
  sun: 'bg-sun text-sun-text',
  muted: 'bg-surface-2 text-muted',
  accent: 'bg-accent-soft text-accent-strong',
  /** For a background that has the accent colour already. */
  plain: 'bg-surface text-accent-strong',
  ok: 'bg-ok-soft text-ok',
  danger: 'bg-danger-soft text-danger',
};

/** `sun` is only for new things, such as unread messages. */
export function Badge({ kind = 'muted', children, label }: BadgeProps) {
  return (
    <span
      className={cx(
        'figures inline-flex shrink-0 min-h-5.5 min-w-5.5 items-center justify-center rounded-round px-2 text-meta font-bold forced-colors:border',
        kinds[kind],
      )}
    >
      <span aria-hidden={label !== undefined || undefined}>{children}</span>
      {label !== undefined && <span className="sr-only">{label}</span>}
    </span>
  );
}
