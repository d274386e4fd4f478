import { useId } from 'react';

/** Alatau in the morning: sky, sun, snow and steppe, in the colours of the theme. */
export function Steppe({ className }: { className?: string }) {
  const sky = useId();
  return (
    <svg viewBox="0 0 400 300" preserveAspectRatio="xMidYMax slice" aria-hidden className={className}>
      <defs>
        <linearGradient id={sky} x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" className="[stop-color:var(--sky-1)]" />
          <stop offset="0.5" className="[stop-color:var(--sky-2)]" />
          <stop offset="0.8" className="[stop-color:var(--sky-3)]" />
        </linearGradient>
      </defs>
      <rect width="400" height="300" fill={`url(#${sky})`} />
      <circle cx="262" cy="118" r="40" className="fill-glow" />
      <circle cx="262" cy="118" r="25" className="fill-sun" />
      <path d="M0 226l54-44 34 22 58-62 40 42 40-26 52 46 46-34 76 48v82H0Z" className="fill-peak-far" />
      <path d="M0 256l70-58 30 20 76-84 62 70 36-22 60 50 32-18 34 26v60H0Z" className="fill-peak" />
      <path d="M176 134l-25 28 15-4 11 8 13-10 14 9Z" className="fill-snow" />
      <path d="M70 198l-15 12.5 12-1 9 5 9-6Z" className="fill-snow opacity-90" />
      <path d="M0 262c60-16 120-16 190-6s140 8 210-4v48H0Z" className="fill-steppe" />
      <g transform="translate(76 2)">
        <path d="M84 268v-9c0-2 1-3 2-4l12-8c2-1 4-1 6 0l12 8c1 1 2 2 2 4v9c-11 3-23 3-34 0Z" className="fill-snow" />
        <path d="M84 259h34" className="stroke-accent" strokeWidth="2" />
        <path d="M97 270v-8h8v8" className="fill-peak" />
      </g>
    </svg>
  );
}
