import type { Client, Contact } from '@dostar/client';
import { Ban, EllipsisVertical, Flag } from 'lucide-react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { openReportDialog } from '../../core/messenger/report-target.ts';
import type { People } from '../../core/messenger/people.ts';
import { previewMessage } from '../../core/messenger/preview-message.ts';
import { useLive } from '../../core/lib/use-live.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import type { MenuItem } from '../../ui/menu-items.tsx';
import { Menu } from '../../ui/menu.tsx';
import { PeopleCard } from './people-card.tsx';
import { PersonRow } from './person-row.tsx';
import { contactStatusOf } from './contact-status.ts';

interface RequestsProps {
  client: Client;
  people: People;
}

/** Incoming and outgoing contact requests. */
export function Requests({ client, people }: RequestsProps) {
  const { t } = useTranslation('contacts');
  const { t: tSaid } = useTranslation('said');
  const chats = useLive(client.live.chats({ limit: 5000 }));
  const incoming = people.all.filter((contact) => contactStatusOf(contact) === 'asks').toSorted(byNewest);
  const outgoing = people.all.filter((contact) => contactStatusOf(contact) === 'waiting').toSorted(byNewest);
  const { contacts } = client;

  function nameOf({ id }: Contact): string {
    return people.nameOf(id) ?? t('unknown');
  }

  function wordsOf({ id }: Contact): string {
    const last = chats?.find(({ peer }) => peer === id)?.last;
    return last === undefined || last.sender !== id ? t('requests.noWords') : previewMessage(last.shows, tSaid);
  }

  function listMore(contact: Contact): MenuItem[] {
    return [
      {
        label: t('person.block'),
        icon: <Ban aria-hidden className="size-5" />,
        isDangerous: true,
        onSelect: () => void contacts.block(contact.id),
      },
      {
        label: t('person.report'),
        icon: <Flag aria-hidden className="size-5" />,
        isDangerous: true,
        onSelect: () => openReportDialog(contact.id, nameOf(contact)),
      },
    ];
  }

  return (
    <PeopleCard title={t('requests.title')}>
      {incoming.length + outgoing.length === 0 && <p className="mt-1 text-muted">{t('requests.none')}</p>}
      {incoming.length > 0 && (
        <ul aria-label={t('requests.incoming')} className="mt-3 grid gap-4">
          {incoming.map((contact) => (
            <li key={contact.id}>
              <PersonRow {...contact} name={nameOf(contact)} username={contact.username} text={wordsOf(contact)}>
                <CustomButton onClick={() => void contacts.accept(contact.id)}>{t('person.accept')}</CustomButton>
                <CustomButton kind="secondary" onClick={() => void contacts.decline(contact.id)}>
                  {t('person.decline')}
                </CustomButton>
                <Menu
                  label={t('requests.more', { name: nameOf(contact) })}
                  icon={<EllipsisVertical aria-hidden className="size-5" />}
                  listItems={() => listMore(contact)}
                />
              </PersonRow>
            </li>
          ))}
        </ul>
      )}
      {outgoing.length > 0 && (
        <>
          <h3 className="mt-4 text-small font-semibold text-muted">{t('requests.outgoing')}</h3>
          <ul aria-label={t('requests.outgoing')} className="mt-2 grid gap-3">
            {outgoing.map((contact) => (
              <li key={contact.id}>
                <PersonRow {...contact} name={nameOf(contact)} username={contact.username} text={t('standing.waiting')}>
                  <CustomButton kind="quiet" onClick={() => void contacts.remove(contact.id)}>
                    {t('person.withdraw')}
                  </CustomButton>
                </PersonRow>
              </li>
            ))}
          </ul>
        </>
      )}
    </PeopleCard>
  );
}

function byNewest(one: Contact, other: Contact): number {
  return other.since - one.since;
}
