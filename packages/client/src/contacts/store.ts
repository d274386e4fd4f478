/** Contacts in the local database: what the server's registers say, with what waits in the outbox laid over it. */
import type { Locale } from '@dostar/protocol/contract/accounts';
import type { SealedPreferences } from '@dostar/protocol/contract/contact-preferences';
import { contactKey, ContactRecord, type FoundUser } from '@dostar/protocol/contract/contacts';
import { type AccountId, directChat } from '@dostar/protocol/ids';
import type { Register } from '@dostar/protocol/mailbox';
import type { Db } from '../storage/open.ts';
import type { Job } from '../storage/rows.ts';
import { fromBase64Url, toBase64Url } from '../net/base64.ts';
import { applyPendingJob } from './pending-job.ts';

const PREFIX = 'contact/';

/** A contact as the screen sees it. */
export interface Contact extends UnsealedContact, SealedPreferences {}

/** A contact without the preferences that need decryption. */
export interface UnsealedContact extends ContactRecord {
  id: AccountId;
  /** Missing until the server has told it. */
  username?: string;
  /** Name and last name, and the photo's name, as far as they show them. */
  name?: string;
  picture?: string;
  publicKey?: string;
  /** A program of the operator's. */
  isAssistant?: true;
  /** Their language, if this account is such a program. */
  locale?: Locale;
}

/** Every contact that this account has decided about, and every requester. */
export async function listContacts(db: Db): Promise<UnsealedContact[]> {
  const registers = await db.registers.where('key').startsWith(PREFIX).toArray();
  return describe(db, registers, await db.outbox.orderBy('pos').toArray());
}

export async function findContact(db: Db, account: AccountId, id: AccountId): Promise<UnsealedContact | undefined> {
  const register = await db.registers.get(contactKey(id));
  const jobs = await db.outbox.where('chat').equals(directChat(account, id)).sortBy('pos');
  return (await describe(db, register === undefined ? [] : [register], jobs))[0];
}

async function describe(db: Db, registers: Register[], jobs: Job[]): Promise<UnsealedContact[]> {
  const records = new Map(registers.flatMap(readRegister));
  for (const job of jobs)
    if (job.kind === 'contact') records.set(job.peer, applyPendingJob(records.get(job.peer), job));
  const ids = [...records.keys()];
  const users = await db.users.bulkGet(ids);
  return [...records].map(([id, record], index) => ({
    ...record,
    id,
    ...userFields(users[index]?.user),
  }));
}

/** Those who are named nowhere on this device, or were long ago. */
export async function listStaleUsers(db: Db, namedBefore: number): Promise<AccountId[]> {
  const keys = await db.registers.where('key').startsWith(PREFIX).primaryKeys();
  const ids = keys.map((key) => key.slice(PREFIX.length) as AccountId);
  const users = await db.users.bulkGet(ids);
  return ids.filter((_, index) => (users[index]?.at ?? -1) < namedBefore);
}

export function toRegisterValue(record: ContactRecord): string {
  return toBase64Url(new TextEncoder().encode(JSON.stringify(record)));
}

function readRegister({ key, value }: Register): [AccountId, ContactRecord][] {
  try {
    const record = ContactRecord.parse(JSON.parse(new TextDecoder().decode(fromBase64Url(value ?? ''))));
    return [[key.slice(PREFIX.length) as AccountId, record]];
  } catch {
    // Of a newer version: shown once this app is as new.
    return [];
  }
}

function userFields(
  user: FoundUser | undefined,
): Partial<Pick<Contact, 'username' | 'publicKey' | 'name' | 'picture' | 'isAssistant' | 'locale'>> {
  return {
    ...(user?.username && { username: user.username }),
    ...(user?.name && { name: user.name }),
    ...(user?.picture && { picture: user.picture }),
    ...(user?.publicKey && { publicKey: user.publicKey }),
    ...(user?.isAssistant && { isAssistant: true }),
    ...(user?.locale && { locale: user.locale }),
  };
}
