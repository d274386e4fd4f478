import type { Client } from '@dostar/client';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import type { People } from '../../core/messenger/people.ts';
import { ChatListItem } from './chat-list-item.tsx';
import type { ListedChat } from './listed-chat.ts';
import { useChatShortcuts } from './use-chat-shortcuts.ts';

/** Estimated height until a row is rendered; larger text makes rows taller. */
const ROW_PX = 72;
const MAX_PRESENCE_SUBSCRIPTIONS = 40;

interface ChatListProps {
  client: Client;
  chats: readonly ListedChat[];
  people: People;
  /** Username of the open chat. */
  openName: string | undefined;
}

/** Renders only the visible rows, so 5,000 chats cost as much as 20. */
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
    // `watched` stands for `seen`, which is a new array in each render even for the same people.
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

/** Arrow keys move the focus between rows; focusing a row scrolls to it, which renders the next ones. */
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
