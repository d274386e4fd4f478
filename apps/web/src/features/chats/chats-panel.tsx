import type { ChatSummary, Client } from '@dostar/client';
import { Archive, MessageCircleQuestion, MessagesSquare } from 'lucide-react';
import { lazy, Suspense, useMemo } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Link, useParams } from 'react-router';
import { paths } from '../../core/lib/paths.ts';
import type { People } from '../../core/messenger/people.ts';
import { useSession } from '../../core/session/session.ts';
import { useLive } from '../../core/lib/use-live.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { buttonClass } from '../../ui/button-class.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ChatList } from './chat-list.tsx';
import type { ListedChat } from './listed-chat.ts';
import { ChatListSkeleton } from './chat-list-skeleton.tsx';
import { PanelLink } from './panel-link.tsx';
import type { PanelState } from './panel-state.ts';

const NotificationPrompt = lazy(async () => ({
  default: (await import('./notification-prompt.tsx')).NotificationPrompt,
}));

interface ChatsPanelProps {
  client: Client;
  people: People;
  panel: 'contacts' | 'archived';
  onPanel: (panel: PanelState) => void;
}

export function ChatsPanel({ client, people, panel, onPanel }: ChatsPanelProps) {
  const { t } = useTranslation('chats');
  const local = useLocalPath();
  const { username } = useParams();
  const session = useSession();
  const summaries = useLive(client.live.chats({ limit: 5000 }));
  const archived = useLive(client.live.chats({ limit: 5000, isArchived: true }));
  const shown = useMemo(() => summaries && listKnown(summaries, people), [people, summaries]);
  if (shown === undefined) return <ChatListSkeleton />;

  const requests = people.all.filter(({ state }) => state === 'asked').length;
  const hasArchived = (archived?.length ?? 0) > 0;
  if (panel === 'archived' && !hasArchived) {
    return (
      <EmptyState
        picture={<Archive aria-hidden className="size-12" />}
        title={t('archivedEmpty')}
        text={t('archivedHint')}
      />
    );
  }
  if (panel === 'contacts' && shown.length + requests === 0 && !hasArchived) {
    return (
      <EmptyState
        picture={<MessagesSquare aria-hidden className="size-12" />}
        title={t('empty.title')}
        text={t('empty.text')}
        action={
          <Link to={local(paths.searchContacts)} className={buttonClass({})}>
            {t('empty.find')}
          </Link>
        }
      />
    );
  }
  return (
    <>
      {panel === 'contacts' && requests > 0 && (
        <PanelLink icon={<MessageCircleQuestion aria-hidden />} onPress={() => onPanel('requests')}>
          {t('requests', { count: requests })}
        </PanelLink>
      )}
      {panel === 'contacts' && hasArchived && (
        <PanelLink icon={<Archive aria-hidden />} onPress={() => onPanel('archived')}>
          {t('archived')}
        </PanelLink>
      )}
      <ChatList
        client={client}
        chats={panel === 'archived' ? listKnown(archived ?? [], people) : shown}
        people={people}
        openName={username}
      />
      {/* Below the rows: above them it would move the row that the user is about to press. */}
      {panel === 'contacts' && session.status === 'signed-in' && (
        <Suspense>
          <NotificationPrompt chats={summaries ?? []} account={session.account.id} />
        </Suspense>
      )}
    </>
  );
}

/** Leaves out requests from strangers, which have their own panel, and blocked or declined accounts. */
function listKnown(chats: readonly ChatSummary[], people: People): ListedChat[] {
  return chats
    .map((summary) => ({ summary, contact: summary.peer && people.find(summary.peer) }))
    .filter(({ contact }) => contact === undefined || contact.state === 'accepted' || contact.state === 'none');
}
