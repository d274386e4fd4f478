import type { ReactNode } from 'react';
import { cx } from '../../../ui/cx.ts';

interface BubbleFrameProps {
  isOwn: boolean;
  isFirst: boolean;
  isLast: boolean;
  /** Removes the padding, so that pictures reach the edge. */
  hasMedia?: boolean;
  isHighlighted: boolean;
  /** Shown next to the bubble, towards the middle of the chat. */
  beside?: ReactNode;
  children: ReactNode;
}

/** Bubble of a message. Side and colour show the sender; a sharp corner marks the last message of a group. */
export function BubbleFrame({
  isOwn,
  isFirst,
  isLast,
  hasMedia = false,
  isHighlighted,
  beside,
  children,
}: BubbleFrameProps) {
  return (
    <div className={cx('flex', isOwn ? 'justify-end' : 'justify-start', isFirst ? 'pt-2.5' : 'pt-[3px]')}>
      {isOwn && beside}
      <div
        data-bubble
        className={cx(
          'relative max-w-[min(85%,35rem)] min-w-0 rounded-bubble shadow-card transition-shadow forced-colors:border',
          isOwn ? 'bg-own text-own-text' : 'bg-other text-text',
          isLast && (isOwn ? 'rounded-br-tail' : 'rounded-bl-tail'),
          hasMedia ? 'p-1.5' : 'px-3 py-2',
          isHighlighted && 'ring-2 ring-sun',
        )}
      >
        {children}
      </div>
      {!isOwn && beside}
    </div>
  );
}
