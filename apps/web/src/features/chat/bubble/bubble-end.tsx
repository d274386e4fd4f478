import type { ReactNode } from 'react';
import { RichText } from '../text/rich-text.tsx';

interface BubbleEndProps {
  /** Caption of a picture or a file. */
  caption?: string | undefined;
  message: string;
  foot: ReactNode;
}

/** Last part of a bubble: the caption, with time and status in its last line where they fit. */
export function BubbleEnd({ caption, message, foot }: BubbleEndProps) {
  if (caption === undefined) {
    return (
      <>
        {foot}
        <span className="clear-both block" />
      </>
    );
  }
  return (
    // The caption must not make the bubble wider than the picture above it.
    <div className="flow-root w-0 min-w-[max(100%,10rem)] px-1.5 pt-1.5 pb-0.5">
      <RichText text={caption} mark={message} />
      {foot}
    </div>
  );
}
