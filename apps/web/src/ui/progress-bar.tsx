interface ProgressBarProps {
  /** 0 to 100. */
  value: number;
  label: string;
  /** The value as it is shown and read out, such as "72 %". */
  text?: string;
}

// An SVG: a width in a style attribute would need an exception in the page's policy.
export function ProgressBar({ value, label, text }: ProgressBarProps) {
  const share = Math.min(100, Math.max(0, value));
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={share}
      aria-valuetext={text}
    >
      <svg className="block h-2 w-full overflow-hidden rounded-round" preserveAspectRatio="none" viewBox="0 0 100 8">
        <rect width="100" height="8" className="fill-surface-3" />
        <rect width={share} height="8" className="fill-accent" />
      </svg>
    </div>
  );
}
