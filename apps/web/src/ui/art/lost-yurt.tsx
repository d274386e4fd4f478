/** A lone yurt under the sun, for the error page. */
export function LostYurt() {
  return (
    <svg viewBox="0 0 240 150" aria-hidden className="w-60 max-w-full">
      <circle cx="184" cy="36" r="16" className="fill-sun" />
      <path d="M0 118c34-14 62-14 96-4s92 12 144-6v42H0Z" className="fill-surface-3" />
      <path
        d="M74 116V86c0-3 2-6 5-8l33-23c4-3 12-3 16 0l33 23c3 2 5 5 5 8v30c-30 8-62 8-92 0Z"
        className="fill-surface stroke-field-line"
        strokeWidth="2.5"
        strokeLinejoin="round"
      />
      <path d="M75 86h90" className="stroke-accent" strokeWidth="5" />
      <path
        d="M84 93l10 12 10-12 10 12 12-12 10 12 10-12 10 12"
        fill="none"
        className="stroke-accent-soft"
        strokeWidth="3"
        strokeLinejoin="round"
      />
      <path d="M108 121V97c0-2 1-3 3-3h18c2 0 3 1 3 3v24Z" className="fill-accent" />
      <path d="M112 53c2-5 14-5 16 0" fill="none" className="stroke-field-line" strokeWidth="3" strokeLinecap="round" />
    </svg>
  );
}
