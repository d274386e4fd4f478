import type { Client, Contact } from '@dostar/client';
import { MessageCircleQuestion } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Link, useParams } from 'react-router';
import { paths } from '../../core/lib/paths.ts';
import type { People } from '../../core/messenger/people.ts';
import { previewMessage } from '../../core/messenger/preview-message.ts';
import { useLive } from '../../core/lib/use-live.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { buttonClass } from '../../ui/button-class.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PersonLink } from './person-link.tsx';

/** Limits the list when an attacker floods the account with requests. */
const MAX_SHOWN = 200;

interface RequestsPanelProps {
  client: Client;
  people: People;
  onAnswered: () => void;
}

/** Incoming requests from strangers, which the user answers in their chats, then the user's own pending requests. */
export function RequestsPanel({ client, people, onAnswered }: RequestsPanelProps) {
  const { t } = useTranslation('chats');
  const { t: tSaid } = useTranslation('said');
  const { username } = useParams();
  const local = useLocalPath();
  const chats = useLive(client.live.chats({ limit: 5000 }));
  const asked = people.all.filter(({ state }) => state === 'asked').toSorted(byNewest);
  const waiting = people.all.filter(({ state, peerAccepts }) => state === 'accepted' && !peerAccepts);

  // The user has answered the last request, so the panel closes.
  const before = useRef(asked.length);
  useEffect(() => {
    if (before.current > 0 && asked.length === 0) onAnswered();
    before.current = asked.length;
  }, [asked.length, onAnswered]);

  if (asked.length + waiting.length === 0) {
    return (
      <EmptyState
        picture={<MessageCircleQuestion aria-hidden className="size-12" />}
        title={t('requestsEmpty')}
        text={t('requestsHint')}
        action={
          <Link to={local(paths.searchContacts)} className={buttonClass({ kind: 'secondary' })}>
            {t('empty.find')}
          </Link>
        }
      />
    );
  }

  function wordsOf({ id }: Contact): string {
    const last = chats?.find(({ peer }) => peer === id)?.last;
    return last === undefined ? t('wantsToAdd') : previewMessage(last.shows, tSaid);
  }

  function draw(contacts: readonly Contact[], textOf: (contact: Contact) => string) {
    return contacts.slice(0, MAX_SHOWN).map((contact) => (
      <li key={contact.id}>
        <PersonLink
          id={contact.id}
          name={people.nameOf(contact.id) ?? t('unknown')}
          username={contact.username}
          text={textOf(contact)}
          isOpen={contact.username !== undefined && contact.username === username}
        />
      </li>
    ));
  }

  return (
    <div className="min-h-0 grow overflow-y-auto overscroll-contain pb-2">
      <ul aria-label={t('requestsTitle')}>{draw(asked, wordsOf)}</ul>
      {waiting.length > 0 && (
        <>
          <h2 className="px-5 pt-3 pb-1 text-small font-semibold text-accent">{t('requestsWaiting')}</h2>
          <ul aria-label={t('requestsWaiting')}>{draw(waiting, () => t('waitsForAnswer'))}</ul>
        </>
      )}
    </div>
  );
}

function byNewest(one: Contact, other: Contact): number {
  return other.since - one.since;
}
