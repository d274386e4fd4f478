import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';

interface BannerProps {
  kind: 'info' | 'success' | 'error';
  children: ReactNode;
  /** If set, the whole banner is a button that closes it. */
  dismissLabel?: string;
  onDismiss?: () => void;
}

const kinds = {
  info: { look: 'bg-accent-soft text-accent-strong', icon: Info },
  success: { look: 'bg-ok-soft text-ok', icon: CircleCheck },
  error: { look: 'bg-danger-soft text-danger', icon: CircleAlert },
};

export function Banner({ kind, children, dismissLabel, onDismiss }: BannerProps) {
  const { look, icon: Icon } = kinds[kind];
  const className = cx('flex w-full items-start gap-3 rounded-field px-4 py-3 text-left font-medium', look);
  const inside = (
    <>
      <Icon aria-hidden className="mt-px size-5 shrink-0" />
      <span className="grow">{children}</span>
    </>
  );
  if (onDismiss === undefined) return <div className={className}>{inside}</div>;
  return (
    <button type="button" onClick={onDismiss} className={cx(className, 'tap')}>
      {inside}
      <X aria-hidden className="mt-px size-5 shrink-0" />
      <span className="sr-only">{dismissLabel}</span>
    </button>
  );
}
