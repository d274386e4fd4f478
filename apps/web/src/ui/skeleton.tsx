import { cx } from './cx.ts';

interface SkeletonProps {
  shape?: 'line' | 'circle' | 'block';
  className?: string;
}

/** A placeholder for loading content. Its parent says once, in words, that it is loading. */
export function Skeleton({ shape = 'line', className }: SkeletonProps) {
  return (
    <span
      aria-hidden
      className={cx(
        'block animate-shimmer bg-surface-3',
        shape === 'line' && 'h-4 rounded-chip',
        shape === 'circle' && 'size-11 rounded-round',
        shape === 'block' && 'rounded-card',
        className,
      )}
    />
  );
}
