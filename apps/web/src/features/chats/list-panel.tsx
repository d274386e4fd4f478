import type { Client } from '@dostar/client';
import type { AccountId } from '@dostar/protocol/ids';
import { ArrowLeft, Search, SquarePen, X } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { useMessenger } from '../../core/messenger/messenger.ts';
import { usePeople } from '../../core/messenger/people.ts';
import { useSession } from '../../core/session/session.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { ChatsPanel } from './chats-panel.tsx';
import { ChatListSkeleton } from './chat-list-skeleton.tsx';
import { NewContactPanel } from './new-contact-panel.tsx';
import { initialPanel, type PanelState } from './panel-state.ts';
import { RequestsPanel } from './requests-panel.tsx';
import { SearchResults } from './search-results.tsx';

const titles = { requests: 'requestsTitle', archived: 'archived', 'new-contact': 'write' } as const;

/** Left panel: the chat list, or the view that replaces it. */
export function ListPanel() {
  const { t } = useTranslation('chats');
  const { t: tUi } = useTranslation('ui');
  const client = useMessenger();
  const session = useSession();
  const [panel, setPanel] = useState<PanelState>(initialPanel);
  const [isBack, setIsBack] = useState(false);
  const [query, setQuery] = useState('');
  const wanted = useDeferredValue(query.trim());

  function handleQuery(text: string): void {
    setQuery(text);
    setPanel(text === '' ? initialPanel : 'search');
  }

  function goBack(): void {
    setIsBack(true);
    setPanel(initialPanel);
  }

  const title = panel === 'contacts' || panel === 'search' ? undefined : titles[panel];
  return (
    <section
      aria-label={t('label')}
      className="flex min-h-0 grow flex-col"
      onKeyDown={(event) => event.key === 'Escape' && title !== undefined && goBack()}
    >
      <header className="flex min-h-15.5 items-center gap-2 px-4 pt-[max(0.75rem,env(safe-area-inset-top))] pb-2">
        {title !== undefined && (
          <IconButton
            // The pressed button is unmounted, so the back button takes the focus.
            autoFocus
            label={t('back')}
            icon={<ArrowLeft aria-hidden className="size-6" />}
            onClick={goBack}
          />
        )}
        <h1 className="min-w-0 grow truncate text-title font-bold tracking-tight">{t(title ?? 'heading')}</h1>
        {title === undefined && (
          <IconButton
            autoFocus={isBack}
            kind="tinted"
            label={t('write')}
            aria-keyshortcuts="Alt+N"
            icon={<SquarePen aria-hidden className="size-5" />}
            onClick={() => setPanel('new-contact')}
          />
        )}
      </header>
      {title === undefined && (
        <div className="relative mx-4 mb-2">
          <Search aria-hidden className="pointer-events-none absolute top-3 left-3 size-5 text-muted" />
          <input
            type="search"
            aria-label={t('search')}
            aria-keyshortcuts="Control+K"
            placeholder={tUi('search')}
            value={query}
            onChange={(event) => handleQuery(event.target.value)}
            onKeyDown={(event) => event.key === 'Escape' && handleQuery('')}
            className="h-11 w-full appearance-none rounded-field bg-surface-2 pr-11 pl-10.5 text-field outline-offset-0 placeholder:text-muted [&::-webkit-search-cancel-button]:hidden"
          />
          {query !== '' && (
            <span className="absolute inset-y-0 right-0">
              <IconButton
                label={t('back')}
                icon={<X aria-hidden className="size-5" />}
                onClick={() => handleQuery('')}
              />
            </span>
          )}
        </div>
      )}
      {client === undefined || session.status !== 'signed-in' ? (
        <ChatListSkeleton />
      ) : panel === 'search' ? (
        <SearchResults client={client} me={session.account.id as AccountId} query={wanted} />
      ) : (
        <Panel client={client} panel={panel} onPanel={setPanel} />
      )}
    </section>
  );
}

interface PanelProps {
  client: Client;
  panel: Exclude<PanelState, 'search'>;
  onPanel: (panel: PanelState) => void;
}

function Panel({ client, panel, onPanel }: PanelProps) {
  const people = usePeople(client);
  if (people === undefined) return <ChatListSkeleton />;
  switch (panel) {
    case 'requests':
      return <RequestsPanel client={client} people={people} onAnswered={() => onPanel(initialPanel)} />;
    case 'new-contact':
      return <NewContactPanel people={people} onPanel={onPanel} />;
    case 'contacts':
    case 'archived':
      return <ChatsPanel client={client} people={people} panel={panel} onPanel={onPanel} />;
  }
}
