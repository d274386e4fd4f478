import type { Client } from '@dostar/client';
import { AppError } from '@dostar/protocol/errors';
import { AccountId } from '@dostar/protocol/ids';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Navigate, useParams } from 'react-router';
import { useMessenger } from '../../core/messenger/messenger.ts';
import { pageMeta } from '../../core/lib/page-meta.ts';
import { chatPath, paths } from '../../core/lib/paths.ts';
import { usePeople } from '../../core/messenger/people.ts';
import { useSession } from '../../core/session/session.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { ChatSkeleton } from './chat-skeleton.tsx';
import { ChatView } from './chat-view.tsx';
import { ChatWithSidePane } from './details/chat-with-side-pane.tsx';

await requestTexts('chat');
await requestTexts('said');
await requestTexts('contacts');

export const meta = pageMeta('chat', 'chat');

export default function ChatPage() {
  const { username = '' } = useParams();
  const session = useSession();
  const client = useMessenger();
  if (client === undefined || session.status !== 'signed-in') return <ChatSkeleton />;
  return <ChatOf key={username} client={client} me={AccountId.parse(session.account.id)} username={username} />;
}

interface ChatOfProps {
  client: Client;
  me: AccountId;
  username: string;
}

/**
 * Finds the account of the username in the contacts, or asks the server. If the username was unknown when the chat was
 * opened, the address holds the account id instead; it changes once the username is known.
 */
function ChatOf({ client, me, username }: ChatOfProps) {
  const { t } = useTranslation('chat');
  const local = useLocalPath();
  const people = usePeople(client);
  const [found, setFound] = useState<AccountId | 'nobody'>();
  const { data: named } = AccountId.safeParse(username);
  const name = named && people?.find(named)?.username;
  const known = named ?? people?.findByUsername(username)?.id;
  const isStranger = people !== undefined && known === undefined;

  useEffect(() => {
    if (!isStranger) return;
    let isOver = false;
    client.contacts.find(username).then(
      ({ id }) => !isOver && setFound(id),
      (error: unknown) => {
        if (!isOver && error instanceof AppError && error.code !== 'unavailable') setFound('nobody');
      },
    );
    return () => {
      isOver = true;
    };
  }, [client, username, isStranger]);

  if (name !== undefined) return <Navigate to={local(chatPath(name))} replace />;
  const peer = known ?? found;
  if (people === undefined || peer === undefined) return <ChatSkeleton />;
  if (peer === 'nobody') return <Navigate to={local(paths.noContact)} replace />;
  const shown = named === undefined ? username : t('header.unknown');
  return (
    <ChatWithSidePane key={peer} client={client} me={me} peer={peer} username={shown} people={people}>
      <ChatView client={client} me={me} peer={peer} username={shown} people={people} />
    </ChatWithSidePane>
  );
}
