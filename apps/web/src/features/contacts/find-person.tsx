import type { Client } from '@dostar/client';
import type { AccountId } from '@dostar/protocol/ids';
import { QrCode, Search } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { useNavigate } from 'react-router';
import { explainError } from '../../core/lib/explain-error.ts';
import { paths } from '../../core/lib/paths.ts';
import type { People } from '../../core/messenger/people.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { readUsername } from '../../core/messenger/username.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { CustomInput } from '../../ui/custom-input.tsx';
import { FoundPerson } from './found-person.tsx';
import { PeopleCard } from './people-card.tsx';
import { readInviteLink } from './read-invite-link.ts';
import { ScanDialog } from './scan-dialog.tsx';

interface FindPersonProps {
  client: Client;
  me: { id: AccountId; username: string | undefined };
  people: People;
}

type Problem = 'invalid' | 'unknown' | 'tooOften' | 'offline' | 'own';

/** Finds a user by the complete username, an invite link or a QR code, never by a part of the name. */
export function FindPerson({ client, me, people }: FindPersonProps) {
  const { t } = useTranslation('contacts');
  const local = useLocalPath();
  const navigate = useNavigate();
  const [isWaiting, setIsWaiting] = useState(false);
  const [isScanning, setIsScanning] = useState(false);
  const [problem, setProblem] = useState<{ is: Problem; name: string }>();
  const [found, setFound] = useState<{ id: AccountId; username: string }>();

  async function find(typed: string): Promise<void> {
    setFound(undefined);
    setProblem(undefined);
    const invite = readInviteLink(typed);
    if (invite !== undefined) return follow(invite);
    const name = readUsername(typed);
    if (name === undefined) return setProblem({ is: 'invalid', name: typed });
    if (name === me.username) return setProblem({ is: 'own', name });
    setIsWaiting(true);
    try {
      const { id, username } = await client.contacts.find(name);
      setFound({ id, username: username ?? name });
    } catch (error) {
      explainError(error, {
        not_found: () => setProblem({ is: 'unknown', name }),
        rate_limited: () => setProblem({ is: 'tooOften', name }),
        other: () => setProblem({ is: 'offline', name }),
      });
    } finally {
      setIsWaiting(false);
    }
  }

  async function follow(invite: string): Promise<void> {
    await navigate(`${local(paths.invite)}#${invite}`);
  }

  function handleSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get('username');
    if (typeof typed === 'string') void find(typed);
  }

  return (
    <PeopleCard title={t('find.title')} text={t('find.text')}>
      <form noValidate onSubmit={handleSubmit} className="mt-4 grid gap-3">
        <CustomInput
          label={t('find.label')}
          name="username"
          placeholder={t('find.placeholder')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          onChange={() => setProblem(undefined)}
          error={problem && t(`find.${problem.is}`, { name: problem.name })}
        />
        <div className="flex flex-wrap gap-2">
          <CustomButton type="submit" isWaiting={isWaiting} icon={<Search aria-hidden className="size-5" />}>
            {t('find.submit')}
          </CustomButton>
          <CustomButton
            kind="secondary"
            icon={<QrCode aria-hidden className="size-5" />}
            onClick={() => setIsScanning(true)}
          >
            {t('scan.open')}
          </CustomButton>
        </div>
      </form>
      <div aria-live="polite">
        {found && <FoundPerson key={found.id} client={client} found={found} contact={people.find(found.id)} />}
      </div>
      {isScanning && (
        <ScanDialog
          onInvite={(invite) => {
            setIsScanning(false);
            void follow(invite);
          }}
          onClose={() => setIsScanning(false)}
        />
      )}
    </PeopleCard>
  );
}
