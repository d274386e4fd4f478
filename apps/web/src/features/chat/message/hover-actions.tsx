import type { Message } from '@dostar/client';
import { Reply, SmilePlus } from 'lucide-react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { useChat } from '../chat-context.ts';
import { EmojiPopover } from '../composer/emoji-popover.tsx';
import { listActions } from './list-actions.ts';

/** Buttons beside a message on hover and keyboard focus. Touch users swipe or long-press instead. */
export function HoverActions({ message }: { message: Message }) {
  const { t } = useTranslation('chat');
  const { me, act, react, selection } = useChat();
  if (selection || !listActions(message, message.sender === me).includes('reply')) return null;
  return (
    <span className="flex h-0 items-center self-center opacity-0 transition-opacity group-focus-within/message:opacity-100 group-hover/message:opacity-100 has-data-popup-open:opacity-100 pointer-coarse:hidden">
      <EmojiPopover
        label={t('actions.react')}
        icon={<SmilePlus aria-hidden className="size-5" />}
        isReaction
        onPick={(emoji) => react(message, emoji)}
      />
      <button
        type="button"
        aria-label={t('actions.reply')}
        title={t('actions.reply')}
        onClick={() => act('reply', message)}
        className="inline-flex size-9 items-center justify-center rounded-round text-muted hover:bg-surface hover:text-text"
      >
        <Reply aria-hidden className="size-5" />
      </button>
    </span>
  );
}
