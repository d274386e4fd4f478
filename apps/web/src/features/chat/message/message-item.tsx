import type { Message } from '@dostar/client';
import { memo } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { mediaKind, previewMessage } from '../../../core/messenger/preview-message.ts';
import { BubbleEnd } from '../bubble/bubble-end.tsx';
import { BubbleFoot } from '../bubble/bubble-foot.tsx';
import { BubbleFrame } from '../bubble/bubble-frame.tsx';
import { ForwardedLine } from '../bubble/forwarded-line.tsx';
import { Quote } from '../bubble/quote.tsx';
import { Reactions } from '../bubble/reactions.tsx';
import { useChat } from '../chat-context.ts';
import { ChatLine, isChatLine } from './chat-line.tsx';
import { FailedNote } from './failed-note.tsx';
import { HoverActions } from './hover-actions.tsx';
import { MessageBody } from './message-body.tsx';
import { MessageFrame } from './message-frame.tsx';
import { MessageMenu } from './message-menu.tsx';
import { useMessageLabel } from './use-message-label.ts';

interface MessageItemProps {
  message: Message;
  isFirst: boolean;
  isLast: boolean;
  isHighlighted: boolean;
}

export const MessageItem = memo(function MessageItem({ message, isFirst, isLast, isHighlighted }: MessageItemProps) {
  const { t } = useTranslation('chat');
  const { t: tSaid } = useTranslation('said');
  const { me, nameOf, react, jumpTo } = useChat();
  const speak = useMessageLabel();
  const { shows, sender, at, status, quote } = message;
  const isOwn = sender === me;
  if (isChatLine(message)) return <ChatLine message={message} />;

  const content = shows.state === 'content' ? shows.content : undefined;
  const isPicture = content?.kind === 'media' && mediaKind(content.media.type) !== 'file';
  return (
    <MessageFrame message={message} messages={[message]} label={speak(message)}>
      <MessageMenu message={message} isOwn={isOwn}>
        <BubbleFrame
          isOwn={isOwn}
          isFirst={isFirst}
          isLast={isLast}
          hasMedia={content?.kind === 'media'}
          isHighlighted={isHighlighted}
          beside={<HoverActions message={message} />}
        >
          {content !== undefined && 'isForwarded' in content && content.isForwarded === true && <ForwardedLine />}
          {content !== undefined && 'replyTo' in content && content.replyTo !== undefined && (
            <Quote
              {...(quote && {
                said: {
                  name: quote.sender === me ? t('message.you') : nameOf(quote.sender),
                  preview: previewMessage(quote.shows, tSaid),
                },
              })}
              onPress={() => quote && jumpTo(quote)}
            />
          )}
          <MessageBody message={message} />
          <BubbleEnd
            caption={content?.kind === 'media' ? content.caption : undefined}
            message={message.id}
            foot={
              <BubbleFoot
                at={at}
                isOwn={isOwn}
                status={status}
                isEdited={message.editedAt !== undefined}
                isStarred={message.isStarred}
                isPinned={message.isPinned}
                hasTimer={message.expiresIn !== undefined}
                isOverlaid={isPicture && content.caption === undefined}
              />
            }
          />
          <Reactions
            reactions={message.reactions.map(({ emoji, by }) => ({
              emoji,
              count: by.length,
              isOwn: by.includes(me),
            }))}
            onPress={(emoji) => react(message, emoji)}
          />
        </BubbleFrame>
      </MessageMenu>
      {status === 'failed' && <FailedNote message={message} />}
      {message.reactions.length > 0 && <div aria-hidden className="h-4" />}
    </MessageFrame>
  );
});
