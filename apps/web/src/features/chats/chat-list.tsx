import type { Client } from '@dostar/client';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import type { People } from '../../core/messenger/people.ts';
import { ChatListItem } from './chat-list-item.tsx';
import type { ListedChat } from './listed-chat.ts';
import { useChatShortcuts } from './use-chat-shortcuts.ts';

/** Until a row has been rendered: with larger text it is taller. */
const ROW_PX = 72;
const MAX_PRESENCE_SUBSCRIPTIONS = 40;

interface ChatListProps {
  client: Client;
  chats: readonly ListedChat[];
  people: People;
  /** The username of the chat that is open. */
  openName: string | undefined;
}

/** Only rows in sight are drawn: five thousand chats cost what twenty do. */
export function ChatList({ client, chats, people, openName }: ChatListProps) {
  const { t } = useTranslation('chats');
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: chats.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => chats[index]?.summary.chat ?? index,
    estimateSize: () => ROW_PX,
    overscan: 6,
  });
  const items = virtualizer.getVirtualItems();

  const seen = items.flatMap(({ index }) => chats[index]?.summary.peer ?? []).slice(0, MAX_PRESENCE_SUBSCRIPTIONS);
  const watched = seen.join();
  useEffect(() => {
    if (watched === '') return;
    return client.watchPresence(seen);
    // The list of names is its own text: a new array of the same people is no news.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [client, watched]);

  useChatShortcuts(chats, openName);

  return (
    <div ref={scroller} className="min-h-0 grow overflow-y-auto overscroll-contain pb-2">
      <ul
        aria-label={t('label')}
        onKeyDown={handleRowKey}
        className="relative"
        style={{ height: virtualizer.getTotalSize() }}
      >
        {items.map(({ index, key, start }) => {
          const listed = chats[index];
          return (
            listed && (
              <li
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                className="absolute inset-x-0 top-0"
                style={{ transform: `translateY(${start}px)` }}
              >
                <ChatListItem client={client} listed={listed} people={people} openName={openName} />
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}

/** Arrows walk from row to row; focusing brings the next ones into the document. */
function handleRowKey(event: KeyboardEvent<HTMLUListElement>): void {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (step === undefined || event.altKey) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('li')].toSorted(
    (one, other) => Number(one.dataset['index']) - Number(other.dataset['index']),
  );
  const here = rows.findIndex((row) => row.contains(document.activeElement));
  event.preventDefault();
  rows[here + step]?.querySelector('a')?.focus();
}
