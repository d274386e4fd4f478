import { useId } from 'react';

interface StrengthIndicatorProps {
  /** 0 to 100. */
  value: number;
  label: string;
  /** The value in words, in the page's language. */
  text: string;
  /** The next suggestion. */
  hint?: string;
}

/** Shows how complete something is, as a bar, and what would raise it further. */
export function StrengthIndicator({ value, label, text, hint }: StrengthIndicatorProps) {
  const gradient = useId();
  const share = Math.min(100, Math.max(0, value));
  return (
    <div>
      <div className="flex items-baseline justify-between gap-3">
        <span className="font-semibold">{label}</span>
        <span className="text-small text-muted figures">{text}</span>
      </div>
      <div
        className="mt-2"
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={share}
        aria-valuetext={text}
      >
        <svg className="block h-2 w-full overflow-hidden rounded-round" preserveAspectRatio="none" viewBox="0 0 100 8">
          <defs>
            <linearGradient id={gradient} gradientUnits="userSpaceOnUse" x1="0" x2="100" y1="0" y2="0">
              <stop offset="0.3" className="[stop-color:var(--accent)]" />
              <stop offset="1" className="[stop-color:var(--sun)]" />
            </linearGradient>
          </defs>
          <rect width="100" height="8" className="fill-surface-3" />
          <rect width={share} height="8" fill={`url(#${gradient})`} />
        </svg>
      </div>
      {hint !== undefined && <p className="mt-2 text-small text-muted">{hint}</p>}
    </div>
  );
}
