import { DEFAULT_PRIVACY, Privacy, PRIVACY_KEY } from '@dostar/protocol/contract/privacy';
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import type { Register } from '@dostar/protocol/mailbox';
import type { AtRest } from '../storage/at-rest.ts';
import type { Db } from '../storage/open.ts';
import type { ItemRow } from '../storage/rows.ts';
import type { Query } from '../lib/live.ts';
import { listTyping, readLastOnline } from '../presence/store.ts';
import { fromBase64Url } from '../net/base64.ts';
import { addSealedPreferences, findPreferenceRows, listPreferenceRows } from './sealed-preferences.ts';
import { type Contact, findContact, listContacts, type UnsealedContact } from './store.ts';

interface Raw {
  contacts: UnsealedContact[];
  preferences: ItemRow[];
}

export interface ContactQueries {
  contacts(): Query<Raw, Contact[]>;
  contact(id: AccountId): Query<Raw, Contact | null>;
  typing(chat: ChatId): Query<AccountId[], AccountId[]>;
  lastOnline(id: AccountId): Query<number | null, number | null>;
  privacy(): Query<Register | undefined, Privacy>;
}

export function createContactQueries(db: Db, account: AccountId, atRest: AtRest): ContactQueries {
  // Both reads start before either is awaited. After awaiting a nested async function, Dexie may have lost the
  // transaction if others run concurrently, and a read that starts then fails.
  const tables = [db.registers, db.outbox, db.users, db.items];
  return {
    contacts: () => ({
      read: () =>
        db.transaction('r', tables, async () => {
          const [contacts, preferences] = await Promise.all([listContacts(db), listPreferenceRows(db)]);
          return { contacts, preferences };
        }),
      finish: ({ contacts, preferences }) => addSealedPreferences(atRest, contacts, preferences),
    }),
    contact: (id) => ({
      read: () =>
        db.transaction('r', tables, async () => {
          const [contact, preferences] = await Promise.all([findContact(db, account, id), findPreferenceRows(db, id)]);
          return { contacts: contact === undefined ? [] : [contact], preferences };
        }),
      finish: async ({ contacts, preferences }) =>
        (await addSealedPreferences(atRest, contacts, preferences))[0] ?? null,
    }),
    typing: (chat) => ({
      read: () => db.transaction('r', [db.signals], () => listTyping(db, chat)),
      finish: (who) => Promise.resolve(who),
    }),
    privacy: () => ({
      read: () => db.registers.get(PRIVACY_KEY),
      finish: async (register) => readPrivacy(register),
    }),
    lastOnline: (id) => ({
      read: () => db.transaction('r', [db.signals], () => readLastOnline(db, id)),
      finish: (seen) => Promise.resolve(seen),
    }),
  };
}

/** A setting that an older server does not have gets its default. */
function readPrivacy(register: Register | undefined): Privacy {
  if (register?.value === undefined) return DEFAULT_PRIVACY;
  try {
    const said: unknown = JSON.parse(new TextDecoder().decode(fromBase64Url(register.value)));
    return { ...DEFAULT_PRIVACY, ...Privacy.partial().parse(said) } as Privacy;
  } catch {
    return DEFAULT_PRIVACY;
  }
}
