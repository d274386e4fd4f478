import type { ReactNode } from 'react';
import { RichText } from '../text/rich-text.tsx';

interface BubbleEndProps {
  /** Under a picture or a file. */
  caption?: string | undefined;
  message: string;
  foot: ReactNode;
}

/** What closes a bubble: the caption, if any, with time and state in its last line where they fit. */
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
    // As wide as what stands above it, however long the words are.
    <div className="flow-root w-0 min-w-[max(100%,10rem)] px-1.5 pt-1.5 pb-0.5">
      <RichText text={caption} mark={message} />
      {foot}
    </div>
  );
}
