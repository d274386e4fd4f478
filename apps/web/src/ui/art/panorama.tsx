import { useId } from 'react';

/** A wide version of `Steppe`: mountains low on the horizon, with free sky for text. */
export function Panorama({ className }: { className?: string }) {
  const sky = useId();
  return (
    <svg viewBox="0 0 1200 420" preserveAspectRatio="xMidYMax slice" aria-hidden className={className}>
      <defs>
        <linearGradient id={sky} x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" className="[stop-color:var(--sky-1)]" />
          <stop offset="0.5" className="[stop-color:var(--sky-2)]" />
          <stop offset="0.85" className="[stop-color:var(--sky-3)]" />
        </linearGradient>
      </defs>
      <rect width="1200" height="420" fill={`url(#${sky})`} />
      <circle cx="720" cy="262" r="62" className="fill-glow" />
      <circle cx="720" cy="262" r="40" className="fill-sun" />
      <path
        d="M0 350l90-44 60 24 92-62 66 44 84-56 88 60 70-28 74 44 86-52 60 34 96-58 84 54 70-34 110 60 70-26v160H0Z"
        className="fill-peak-far"
      />
      <path
        d="M0 376l110-50 64 26 118-78 70 52 62-30 96 56 100-40 92 46 106-72 82 54 88-42 104 60 108-32v94H0Z"
        className="fill-peak"
      />
      <path d="M292 274l-31 20.5 18-2 12 9 15-9 12 6Z" className="fill-snow" />
      <path d="M818 286l-26 17.5 16-2 10 8 14-9 12 6Z" className="fill-snow" />
      <path d="M0 388c180-22 360-22 570-8s420 10 630-6v46H0Z" className="fill-steppe" />
      <path
        d="M520 388v-11c0-2 1-4 3-5l16-11c2-2 5-2 7 0l16 11c2 1 3 3 3 5v11c-15 4-30 4-45 0Z"
        className="fill-snow"
      />
      <path d="M520 377h45" className="stroke-accent" strokeWidth="2.5" />
      <path d="M537 391v-11h11v11" className="fill-peak" />
    </svg>
  );
}
