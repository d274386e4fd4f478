import type { Client } from '@dostar/client';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import type { People } from '../../core/messenger/people.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { PeopleCard } from './people-card.tsx';
import { PersonRow } from './person-row.tsx';

interface BlockedPeopleProps {
  client: Client;
  people: People;
}

export function BlockedPeople({ client, people }: BlockedPeopleProps) {
  const { t } = useTranslation('contacts');
  const blocked = people.all.filter(({ state }) => state === 'blocked');
  if (blocked.length === 0) return null;
  return (
    <PeopleCard title={t('blocked.title')} text={t('blocked.text')}>
      <ul className="mt-3 grid gap-3">
        {blocked.map((contact) => (
          <li key={contact.id}>
            <PersonRow {...contact} name={people.nameOf(contact.id) ?? t('unknown')} username={contact.username}>
              <CustomButton kind="quiet" onClick={() => void client.contacts.unblock(contact.id)}>
                {t('person.unblock')}
              </CustomButton>
            </PersonRow>
          </li>
        ))}
      </ul>
    </PeopleCard>
  );
}
