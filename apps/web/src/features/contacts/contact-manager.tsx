import type { Client } from '@dostar/client';
import type { AccountId } from '@dostar/protocol/ids';
import { usePeople } from '../../core/messenger/people.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { BlockedPeople } from './blocked-people.tsx';
import { FindPerson } from './find-person.tsx';
import { MyLink } from './my-link.tsx';
import { Requests } from './requests.tsx';

interface ContactManagerProps {
  client: Client;
  me: { id: AccountId; username: string | undefined };
}

export function ContactManager({ client, me }: ContactManagerProps) {
  const people = usePeople(client);
  if (people === undefined) return <Skeleton className="h-60" />;
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <div className="grid min-w-0 gap-4">
        <FindPerson client={client} me={me} people={people} />
        <Requests client={client} people={people} />
      </div>
      <div className="grid min-w-0 gap-4">
        <MyLink client={client} me={me} />
        <BlockedPeople client={client} people={people} />
      </div>
    </div>
  );
}
