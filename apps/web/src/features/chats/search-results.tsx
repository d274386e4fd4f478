import type { Client, SearchResult } from '@dostar/client';
import { type AccountId, directChat } from '@dostar/protocol/ids';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Link } from 'react-router';
import { formatDay } from '../../core/i18n/format-date.ts';
import { matchesName } from '../../core/messenger/matches-name.ts';
import { jumpState } from '../../core/messenger/jump-target.ts';
import { chatPath } from '../../core/lib/paths.ts';
import { usePeople } from '../../core/messenger/people.ts';
import { useLocale, useLocalPath } from '../../core/i18n/use-locale.ts';
import { useNow } from '../../core/lib/use-now.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { MatchedText } from '../../ui/matched-text.tsx';

interface SearchResultsProps {
  client: Client;
  me: AccountId;
  query: string;
}

/** Matching people, then matching messages of all chats. */
export function SearchResults({ client, me, query }: SearchResultsProps) {
  const { t } = useTranslation('chats');
  const { code } = useLocale();
  const local = useLocalPath();
  const now = useNow();
  const people = usePeople(client);
  const [found, setFound] = useState<{ query: string; messages: SearchResult[] }>();

  useEffect(() => {
    if (query === '') return;
    let isOver = false;
    void client.search({ text: query, limit: 50 }).then((messages) => !isOver && setFound({ query, messages }));
    return () => {
      isOver = true;
    };
  }, [client, query]);

  const named = (people?.all ?? []).filter(
    ({ id, state }) => state === 'accepted' && matchesName(people?.nameOf(id) ?? '', query),
  );
  const messages = found?.query === query ? found.messages : undefined;
  const isNothing = messages?.length === 0 && named.length === 0;
  return (
    <div className="min-h-0 grow overflow-y-auto px-2 pb-4">
      {named.length > 0 && <Heading>{t('results.people')}</Heading>}
      {named.map(({ id, username }) => (
        <Link key={id} to={local(chatPath(username ?? 'no'))} className={rowClass}>
          <Avatar accountId={id} name={people?.nameOf(id) ?? ''} />
          <span className="truncate font-semibold">{people?.nameOf(id)}</span>
        </Link>
      ))}
      {messages !== undefined && messages.length > 0 && <Heading>{t('results.messages')}</Heading>}
      {messages?.map(({ message, snippet }) => {
        const peer = people?.all.find(({ id }) => directChat(me, id) === message.chat)?.id;
        const name = (peer && people?.nameOf(peer)) ?? t('unknown');
        const username = peer && people?.find(peer)?.username;
        const target = local(chatPath(username ?? 'no'));
        return (
          <Link key={`${message.sender}/${message.id}`} to={target} state={jumpState(message)} className={rowClass}>
            <Avatar accountId={peer ?? message.sender} name={name} />
            <span className="min-w-0 grow">
              <span className="flex items-baseline justify-between gap-2">
                <span className="truncate font-semibold">{name}</span>
                <span className="figures shrink-0 text-small text-muted">
                  {formatDay(code, new Date(message.at), new Date(now))}
                </span>
              </span>
              <span dir="auto" className="line-clamp-2 text-small text-muted">
                <MatchedText text={snippet.text} matches={snippet.matches} />
              </span>
            </span>
          </Link>
        );
      })}
      <p role="status" className="px-4 py-6 text-center text-muted">
        {messages === undefined ? t('results.busy') : isNothing ? t('results.none', { query }) : t('results.hint')}
      </p>
    </div>
  );
}

const rowClass = 'flex min-h-16 items-center gap-3 rounded-field px-3 py-2 hover:bg-surface-2';

function Heading({ children }: { children: string }) {
  return <h2 className="px-3 pt-3 pb-1 text-small font-semibold text-accent">{children}</h2>;
}
