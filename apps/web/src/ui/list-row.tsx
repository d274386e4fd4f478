import type { ReactNode } from 'react';
import { cx } from './cx.ts';

interface ListRowProps {
  leading?: ReactNode;
  title: ReactNode;
  /** Shown beside the title, at the end, such as a time. */
  meta?: ReactNode;
  text?: ReactNode;
  trailing?: ReactNode;
  isSelected?: boolean;
  onPress?: () => void;
}

export function ListRow({ leading, title, meta, text, trailing, isSelected = false, onPress }: ListRowProps) {
  const inside = (
    <>
      {leading}
      <span className="min-w-0 grow">
        <span className="flex items-baseline justify-between gap-3">
          <span className="truncate font-semibold">{title}</span>
          {meta !== undefined && <span className="figures shrink-0 text-small text-muted">{meta}</span>}
        </span>
        {(text !== undefined || trailing !== undefined) && (
          <span className="flex items-center justify-between gap-3">
            <span className="truncate text-muted">{text}</span>
            {trailing}
          </span>
        )}
      </span>
    </>
  );
  const look = cx(
    'flex min-h-18 w-full items-center gap-3 rounded-field px-3 py-2 text-left',
    isSelected && 'bg-accent-soft',
  );
  if (onPress === undefined) return <div className={look}>{inside}</div>;
  return (
    <button
      type="button"
      aria-current={isSelected || undefined}
      onClick={onPress}
      className={cx(look, 'transition-colors', !isSelected && 'hover:bg-surface-2')}
    >
      {inside}
    </button>
  );
}
