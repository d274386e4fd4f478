import type { Client, Message } from '@dostar/client';
import type { ChatId } from '@dostar/protocol/ids';
import { Pin, PinOff } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { previewMessage } from '../../../core/messenger/preview-message.ts';
import { useLive } from '../../../core/lib/use-live.ts';
import { IconButton } from '../../../ui/icon-button.tsx';

interface PinnedBarProps {
  client: Client;
  chat: ChatId;
  onJump: (message: Message) => void;
  onUnpin: (message: Message) => void;
}

/** Pinned messages, newest first. Each press jumps to the shown one and then shows the next older one. */
export function PinnedBar({ client, chat, onJump, onUnpin }: PinnedBarProps) {
  const { t } = useTranslation('chat');
  const { t: tSaid } = useTranslation('said');
  const pinned = useLive(client.live.pinned(chat)) ?? [];
  const [back, setBack] = useState(0);
  const place = pinned.length === 0 ? 0 : pinned.length - 1 - (back % pinned.length);
  const message = pinned[place];
  if (message === undefined) return null;
  return (
    <div className="flex shrink-0 items-center gap-1 border-b border-line bg-surface px-2 sm:px-4">
      <button
        type="button"
        onClick={() => {
          onJump(message);
          setBack(back + 1);
        }}
        className="flex min-h-13 min-w-0 grow items-center gap-3 rounded-control px-2 text-left focus-visible:outline-offset-[-2px]"
      >
        <Pin aria-hidden className="size-5 shrink-0 text-accent" />
        <span className="min-w-0 grow border-l-3 border-accent pl-3 text-small">
          <span className="block font-semibold text-accent">
            {pinned.length === 1 ? t('pinned.one') : t('pinned.many', { place: place + 1, count: pinned.length })}
          </span>
          <span dir="auto" className="block truncate text-muted">
            {previewMessage(message.shows, tSaid)}
          </span>
        </span>
      </button>
      <IconButton
        label={t('actions.unpin')}
        icon={<PinOff aria-hidden className="size-5" />}
        onClick={() => onUnpin(message)}
      />
    </div>
  );
}
