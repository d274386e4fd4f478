import { cx } from '../../../ui/cx.ts';
import { LOUDEST } from './waveform.ts';

interface WaveBarsProps {
  bars: readonly number[];
  /** Share of the recording that has been played, 0 to 1. */
  progress: number;
}

/** One SVG instead of 48 elements per voice message, which would slow down long chats. */
export function WaveBars({ bars, progress }: WaveBarsProps) {
  const width = bars.length * 4;
  return (
    <svg aria-hidden viewBox={`0 0 ${width} 28`} preserveAspectRatio="none" className="h-7 w-full">
      {bars.map((level, index) => {
        const height = Math.max(3, (Math.min(level, LOUDEST) / LOUDEST) * 26);
        return (
          <rect
            // The bars never change their order.
            key={index}
            x={index * 4}
            y={(28 - height) / 2}
            width={2.5}
            height={height}
            rx={1.25}
            className={cx('fill-accent', index / bars.length >= progress && 'opacity-35')}
          />
        );
      })}
    </svg>
  );
}
