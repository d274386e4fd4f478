import type { Message } from '@dostar/client';
import { memo } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { BubbleEnd } from '../bubble/bubble-end.tsx';
import { BubbleFoot } from '../bubble/bubble-foot.tsx';
import { BubbleFrame } from '../bubble/bubble-frame.tsx';
import { ForwardedLine } from '../bubble/forwarded-line.tsx';
import { Reactions } from '../bubble/reactions.tsx';
import { useChat } from '../chat-context.ts';
import { layOutAlbum, shapes } from '../media/album-layout.ts';
import { MediaPicture } from '../media/media-picture.tsx';
import { countReactions } from './count-reactions.ts';
import { FailedNote } from './failed-note.tsx';
import { HoverActions } from './hover-actions.tsx';
import { MessageFrame } from './message-frame.tsx';
import { MessageMenu } from './message-menu.tsx';
import { useMessageLabel } from './use-message-label.ts';
import { slowest } from './slowest.ts';

interface AlbumItemProps {
  messages: readonly Message[];
  isFirst: boolean;
  isLast: boolean;
  /** Id of the highlighted message, if any. */
  highlighted: string | undefined;
}

const columns: Record<number, string> = { 1: 'col-span-6', 2: 'col-span-3', 3: 'col-span-2' };

/** Bubble with the pictures of an album; each picture has its own menu. */
export const AlbumItem = memo(function AlbumItem({ messages, isFirst, isLast, highlighted }: AlbumItemProps) {
  const { t } = useTranslation('chat');
  const { me, react } = useChat();
  const speak = useMessageLabel();
  const last = messages.at(-1)!;
  const isOwn = last.sender === me;
  const spans = layOutAlbum(messages.length).flatMap((inRow) => Array.from({ length: inRow }, () => inRow));
  const caption = messages.map(captionOf).findLast((text) => text !== undefined);
  const reactions = countReactions(messages, me);
  const failed = messages.filter(({ status }) => status === 'failed');
  return (
    <MessageFrame
      message={last}
      messages={messages}
      label={speak(last, caption ?? t('media.album', { count: messages.length }))}
    >
      <BubbleFrame
        isOwn={isOwn}
        isFirst={isFirst}
        isLast={isLast}
        hasMedia
        isHighlighted={messages.some(({ id }) => id === highlighted)}
        beside={<HoverActions message={last} />}
      >
        {isForwarded(last) && <ForwardedLine />}
        <div className="grid w-85 max-w-full grid-cols-6 gap-[3px] overflow-hidden rounded-[13px]">
          {messages.map((message, index) => {
            const inRow = spans[index] ?? 3;
            return (
              <div key={message.id} className={columns[inRow]} style={{ aspectRatio: shapes[inRow] }}>
                <MessageMenu message={message} isOwn={isOwn} isFilling>
                  <MediaPicture message={message} isTile />
                </MessageMenu>
              </div>
            );
          })}
        </div>
        <BubbleEnd
          caption={caption}
          message={last.id}
          foot={
            <BubbleFoot
              at={last.at}
              isOwn={isOwn}
              status={slowest(messages)}
              isEdited={messages.some(({ editedAt }) => editedAt !== undefined)}
              isStarred={messages.some(({ isStarred }) => isStarred)}
              isPinned={messages.some(({ isPinned }) => isPinned)}
              hasTimer={last.expiresIn !== undefined}
              isOverlaid={caption === undefined}
            />
          }
        />
        <Reactions reactions={reactions} onPress={(emoji) => react(last, emoji)} />
      </BubbleFrame>
      {failed.map((message) => (
        <FailedNote key={message.id} message={message} />
      ))}
      {reactions.length > 0 && <div aria-hidden className="h-4" />}
    </MessageFrame>
  );
});

function captionOf({ shows }: Message): string | undefined {
  return shows.state === 'content' && shows.content.kind === 'media' ? shows.content.caption : undefined;
}

function isForwarded({ shows }: Message): boolean {
  return shows.state === 'content' && 'isForwarded' in shows.content && shows.content.isForwarded === true;
}

/** Id of the album of a message; undefined for a deleted message. */
export function albumOf({ shows }: Message): string | undefined {
  return shows.state === 'content' && shows.content.kind === 'media' ? shows.content.album?.id : undefined;
}
