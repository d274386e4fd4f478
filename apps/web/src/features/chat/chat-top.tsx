import type { Client, Message } from '@dostar/client';
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import { Suspense } from 'react';
import type { People } from '../../core/messenger/people.ts';
import { useLive } from '../../core/lib/use-live.ts';
import { lazyComponent } from '../../ui/lazy-component.ts';
import { ConnectionBar } from './header/connection-bar.tsx';
import { PersonHeader } from './header/person-header.tsx';
import { PinnedBar } from './pinned/pinned-bar.tsx';
import type { useChatSearch } from './search/use-chat-search.ts';
import type { useMessageActions } from './use-message-actions.ts';
import { useRestoreFocus } from './use-restore-focus.ts';

const SelectionBar = lazyComponent(async () => (await import('./selection-bar.tsx')).SelectionBar);
const SearchBar = lazyComponent(async () => (await import('./search/search-bar.tsx')).SearchBar);

interface ChatTopProps {
  client: Client;
  chat: ChatId;
  peer: AccountId;
  name: string;
  people: People;
  isVerified: boolean;
  messageActions: ReturnType<typeof useMessageActions>;
  search: ReturnType<typeof useChatSearch>;
  onJump: (message: Message) => void;
}

function BarSkeleton() {
  return (
    <div className="min-h-15.5 shrink-0 border-b border-line bg-surface pt-[env(safe-area-inset-top)]">
      <div className="h-11" />
    </div>
  );
}

/** Header, selection bar or search bar above the messages, then the pinned message and the connection state. */
export function ChatTop({
  client,
  chat,
  peer,
  name,
  people,
  isVerified,
  messageActions,
  search,
  onJump,
}: ChatTopProps) {
  const connection = useLive(client.live.connection());
  const chosen = [...(messageActions.selected?.values() ?? [])];
  useRestoreFocus(messageActions.selected !== undefined || search.isOpen, chosen.at(-1)?.id);
  return (
    <>
      {messageActions.selected ? (
        <Suspense fallback={<BarSkeleton />}>
          <SelectionBar
            count={messageActions.selected.size}
            onCopy={() => void messageActions.copy(chosen)}
            onForward={() => messageActions.setDialog({ kind: 'forward', messages: chosen })}
            onDelete={() => messageActions.setDialog({ kind: 'delete', messages: chosen })}
            onCancel={() => messageActions.setSelected(undefined)}
          />
        </Suspense>
      ) : search.isOpen ? (
        <Suspense fallback={<BarSkeleton />}>
          <SearchBar search={search} people={people} />
        </Suspense>
      ) : (
        <PersonHeader
          client={client}
          chat={chat}
          peer={peer}
          name={name}
          isVerified={isVerified}
          onSearch={search.open}
          onGallery={() => messageActions.setDialog({ kind: 'gallery' })}
          onTimer={() => messageActions.setDialog({ kind: 'timer' })}
        />
      )}
      <PinnedBar
        client={client}
        chat={chat}
        onJump={onJump}
        onUnpin={(message) => messageActions.act('pin', message)}
      />
      <ConnectionBar state={connection?.state} />
    </>
  );
}
