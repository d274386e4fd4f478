import type { Client, Message } from '@dostar/client';
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import { Suspense } from 'react';
import type { People } from '../../core/messenger/people.ts';
import { useLive } from '../../core/lib/use-live.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { ConnectionBar } from './header/connection-bar.tsx';
import { PersonHeader } from './header/person-header.tsx';
import { PinnedBar } from './pinned/pinned-bar.tsx';
import type { useChatSearch } from './search/use-chat-search.ts';
import type { useDeeds } from './use-deeds.ts';
import { useFocusBack } from './use-focus-back.ts';

const SelectionBar = lazyPart(async () => (await import('./selection-bar.tsx')).SelectionBar);
const SearchBar = lazyPart(async () => (await import('./search/search-bar.tsx')).SearchBar);

interface ChatTopProps {
  client: Client;
  chat: ChatId;
  peer: AccountId;
  name: string;
  people: People;
  isVerified: boolean;
  deeds: ReturnType<typeof useDeeds>;
  search: ReturnType<typeof useChatSearch>;
  onJump: (message: Message) => void;
}

function BarOutline() {
  return (
    <div className="min-h-15.5 shrink-0 border-b border-line bg-surface pt-[env(safe-area-inset-top)]">
      <div className="h-11" />
    </div>
  );
}

/** Above the messages: who this is, or what is being selected or looked for; then what is pinned, and the connection. */
export function ChatTop({ client, chat, peer, name, people, isVerified, deeds, search, onJump }: ChatTopProps) {
  const connection = useLive(client.live.connection());
  const chosen = [...(deeds.selected?.values() ?? [])];
  useFocusBack(deeds.selected !== undefined || search.isOpen, chosen.at(-1)?.id);
  return (
    <>
      {deeds.selected ? (
        <Suspense fallback={<BarOutline />}>
          <SelectionBar
            count={deeds.selected.size}
            onCopy={() => void deeds.copy(chosen)}
            onForward={() => deeds.setDialog({ kind: 'forward', messages: chosen })}
            onDelete={() => deeds.setDialog({ kind: 'delete', messages: chosen })}
            onCancel={() => deeds.setSelected(undefined)}
          />
        </Suspense>
      ) : search.isOpen ? (
        <Suspense fallback={<BarOutline />}>
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
          onGallery={() => deeds.setDialog({ kind: 'gallery' })}
          onTimer={() => deeds.setDialog({ kind: 'timer' })}
        />
      )}
      <PinnedBar client={client} chat={chat} onJump={onJump} onUnpin={(message) => deeds.act('pin', message)} />
      <ConnectionBar state={connection?.state} />
    </>
  );
}
