import { cx } from './cx.ts';

/** A speech bubble that shows a shanyraq from below: the circle, its bent bars and the roof poles. */
export function Logo({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 48 48" aria-hidden className={cx('shrink-0', className)}>
      <path
        className="fill-accent"
        d="M24 2.5C12.1 2.5 2.5 11.9 2.5 23.5c0 4.7 1.6 9 4.2 12.5l-2.5 7.3c-.5 1.3.8 2.6 2.1 2.1l8.2-2.7c2.9 1.2 6.1 1.8 9.5 1.8 11.9 0 21.5-9.4 21.5-21S35.9 2.5 24 2.5Z"
      />
      <g fill="none" className="stroke-on-accent">
        <path
          strokeWidth="2.4"
          strokeLinecap="round"
          d="M24.00 14.50L24.00 7.70M28.50 15.71L31.90 9.82M31.79 19.00L37.68 15.60M33.00 23.50L39.80 23.50M31.79 28.00L37.68 31.40M28.50 31.29L31.90 37.18M24.00 32.50L24.00 39.30M19.50 31.29L16.10 37.18M16.21 28.00L10.32 31.40M15.00 23.50L8.20 23.50M16.21 19.00L10.32 15.60M19.50 15.71L16.10 9.82"
        />
        <circle cx="24" cy="23.5" r="8.8" strokeWidth="3" />
        <path
          strokeWidth="2"
          d="M20.60 15.38Q23.20 23.5 20.60 31.62M15.88 20.10Q24 22.70 32.12 20.10M27.40 15.38Q24.80 23.5 27.40 31.62M15.88 26.90Q24 24.30 32.12 26.90"
        />
      </g>
    </svg>
  );
}
