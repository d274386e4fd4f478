import { encode } from 'uqr';

interface QrCodeProps {
  /** Text, or raw bytes. */
  value: string | readonly number[];
  /** What the code leads to, for screen readers. */
  label: string;
}

/** Dark on white in both themes: cameras do not read inverted codes. */
export function QrCode({ value, label }: QrCodeProps) {
  const { data, size } = encode(value, { ecc: 'M', border: 2 });
  const squares = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-48 max-w-full rounded-control bg-qr-paper text-qr-ink"
    >
      <path d={squares} fill="currentColor" />
    </svg>
  );
}
