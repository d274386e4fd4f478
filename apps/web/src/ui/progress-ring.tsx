import { cx } from './cx.ts';

interface ProgressRingProps {
  /** 0 to 100; undefined while unknown. */
  value?: number;
  size?: 'small' | 'medium' | 'large';
  /** Needed unless text beside it already says what is happening. */
  label?: string;
}

const sizes = { small: 'size-4.5', medium: 'size-8', large: 'size-14' };
const radius = 10;
const round = 2 * Math.PI * radius;

export function ProgressRing({ value, size = 'medium', label }: ProgressRingProps) {
  const isKnown = value !== undefined;
  return (
    <svg
      viewBox="0 0 24 24"
      className={cx(sizes[size], 'shrink-0 -rotate-90', !isKnown && 'animate-spin')}
      role={label === undefined ? undefined : 'progressbar'}
      aria-hidden={label === undefined || undefined}
      aria-label={label}
      aria-valuemin={label === undefined ? undefined : 0}
      aria-valuemax={label === undefined ? undefined : 100}
      aria-valuenow={label === undefined ? undefined : value}
    >
      <circle cx="12" cy="12" r={radius} fill="none" stroke="currentColor" strokeOpacity="0.22" strokeWidth="2.5" />
      <circle
        cx="12"
        cy="12"
        r={radius}
        fill="none"
        stroke="currentColor"
        strokeWidth="2.5"
        strokeLinecap="round"
        strokeDasharray={`${(round * (value ?? 30)) / 100} ${round}`}
      />
    </svg>
  );
}
