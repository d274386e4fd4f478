/** The names that this account's screens show for people. */
import type { Client, Contact } from '@dostar/client';
import type { AccountId } from '@dostar/protocol/ids';
import { useMemo } from 'react';
import { useLive } from '../lib/use-live.ts';

export interface People {
  all: readonly Contact[];
  find: (id: AccountId) => Contact | undefined;
  findByUsername: (username: string) => Contact | undefined;
  /** Alias, then name, then username; undefined if none is known, and the screen shows "Unknown user". */
  nameOf: (id: AccountId) => string | undefined;
}

/** Undefined until the local database has been read. */
export function usePeople(client: Client): People | undefined {
  const contacts = useLive(client.live.contacts());
  return useMemo(() => contacts && toPeople(contacts), [contacts]);
}

function toPeople(contacts: readonly Contact[]): People {
  const byId = new Map(contacts.map((contact) => [contact.id, contact]));
  const byName = new Map(contacts.flatMap((contact) => (contact.username ? [[contact.username, contact]] : [])));
  return {
    all: contacts,
    find: (id) => byId.get(id),
    findByUsername: (username) => byName.get(username.toLowerCase()),
    nameOf(id) {
      const contact = byId.get(id);
      return contact?.alias ?? contact?.name ?? contact?.username;
    },
  };
}
