import type { Client, Contact } from '@dostar/client';
import type { AccountId } from '@dostar/protocol/ids';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Link } from 'react-router';
import { chatPath } from '../../core/lib/paths.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { buttonClass } from '../../ui/button-class.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { PersonRow } from './person-row.tsx';
import { contactStatusOf } from './contact-status.ts';

interface FoundPersonProps {
  client: Client;
  found: { id: AccountId; username: string };
  contact: Contact | undefined;
}

/** The user who was found, their contact status, and the next action. */
export function FoundPerson({ client, found: { id, username }, contact }: FoundPersonProps) {
  const { t } = useTranslation('contacts');
  const local = useLocalPath();
  const contactStatus = contactStatusOf(contact);
  const { contacts } = client;
  return (
    <div className="mt-4 rounded-field bg-surface-2 p-3">
      <PersonRow
        id={id}
        name={contact?.alias ?? username}
        username={username}
        text={`@${username} · ${t(`standing.${contactStatus}`)}`}
      >
        {contactStatus === 'stranger' && (
          <CustomButton onClick={() => void contacts.accept(id)}>{t('person.add')}</CustomButton>
        )}
        {contactStatus === 'asks' && (
          <>
            <CustomButton onClick={() => void contacts.accept(id)}>{t('person.accept')}</CustomButton>
            <CustomButton kind="secondary" onClick={() => void contacts.decline(id)}>
              {t('person.decline')}
            </CustomButton>
          </>
        )}
        {contactStatus === 'waiting' && (
          <CustomButton kind="secondary" onClick={() => void contacts.remove(id)}>
            {t('person.withdraw')}
          </CustomButton>
        )}
        {contactStatus === 'blocked' && (
          <CustomButton kind="secondary" onClick={() => void contacts.unblock(id)}>
            {t('person.unblock')}
          </CustomButton>
        )}
        {(contactStatus === 'contact' || contactStatus === 'waiting') && (
          <Link to={local(chatPath(username))} className={buttonClass({})}>
            {t('person.write')}
          </Link>
        )}
      </PersonRow>
    </div>
  );
}
