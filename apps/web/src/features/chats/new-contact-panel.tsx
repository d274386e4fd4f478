import { MessageCircleQuestion, UserRoundPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Link } from 'react-router';
import { matchesName } from '../../core/messenger/matches-name.ts';
import { paths } from '../../core/lib/paths.ts';
import type { People } from '../../core/messenger/people.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { PanelLink } from './panel-link.tsx';
import { initialPanel, type PanelState } from './panel-state.ts';
import { PersonLink } from './person-link.tsx';

const FILTER_FROM = 8;
const MAX_SHOWN = 300;

interface NewContactPanelProps {
  people: People;
  onPanel: (panel: PanelState) => void;
}

/** Starts a chat with an existing contact or adds a new one. */
export function NewContactPanel({ people, onPanel }: NewContactPanelProps) {
  const { t } = useTranslation('chats');
  const { t: tUi } = useTranslation('ui');
  const local = useLocalPath();
  const [wanted, setWanted] = useState('');
  const known = people.all
    .filter(({ state }) => state === 'accepted')
    .map(({ id, username }) => ({ id, username, name: people.nameOf(id) ?? t('unknown') }))
    .toSorted((one, other) => one.name.localeCompare(other.name));
  const found = known.filter(({ name, username }) => matchesName(`${name} ${username ?? ''}`, wanted));
  const leave = () => onPanel(initialPanel);
  return (
    <>
      <Link
        to={local(paths.searchContacts)}
        onClick={leave}
        className="mx-2 flex min-h-18 items-center gap-3 rounded-field px-3 font-semibold text-accent outline-offset-[-2px] hover:bg-surface-2"
      >
        <span className="flex size-13 shrink-0 items-center justify-center rounded-round bg-accent-soft">
          <UserRoundPlus aria-hidden className="size-6" />
        </span>
        {t('addPerson')}
      </Link>
      <PanelLink icon={<MessageCircleQuestion aria-hidden />} onPress={() => onPanel('requests')}>
        {t('requestsTitle')}
      </PanelLink>
      {known.length >= FILTER_FROM && (
        <input
          type="search"
          aria-label={t('filter')}
          placeholder={tUi('search')}
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
          className="mx-4 my-2 h-11 rounded-field bg-surface-2 px-4 text-field outline-offset-0 placeholder:text-muted"
        />
      )}
      {known.length === 0 && <p className="px-5 py-4 text-muted">{t('noContacts')}</p>}
      <ul aria-label={t('myContacts')} className="min-h-0 grow overflow-y-auto overscroll-contain pb-2">
        {found.slice(0, MAX_SHOWN).map(({ id, name, username }) => (
          <li key={id}>
            <PersonLink
              id={id}
              name={name}
              username={username}
              text={username === undefined ? '' : `@${username}`}
              onPress={leave}
            />
          </li>
        ))}
      </ul>
    </>
  );
}
