/** Contacts in the local database: the server's registers, with the changes that wait in the outbox applied. */
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
  /** Missing until the server has sent it. */
  username?: string;
  /** First and last name, and the name of the photo, if the contact shows them to this account. */
  name?: string;
  picture?: string;
  publicKey?: string;
  /** An assistant of the operator. */
  isAssistant?: true;
  /** The contact's language; only if this account is an assistant. */
  locale?: Locale;
}

/** Every contact that this account has decided about, and every account that sent a request. */
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
  const records = new Map<AccountId, ContactRecord>();
  for (const register of registers) {
    const record = readContactRecord(register);
    if (record !== undefined) records.set(contactOf(register.key), record);
  }
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

/** Contacts whose user is not cached, or was cached before that time. */
export async function listStaleUsers(db: Db, cachedBefore: number): Promise<AccountId[]> {
  const keys = await db.registers.where('key').startsWith(PREFIX).primaryKeys();
  const ids = keys.map(contactOf);
  const users = await db.users.bulkGet(ids);
  return ids.filter((_, index) => (users[index]?.at ?? -1) < cachedBefore);
}

function contactOf(key: string): AccountId {
  return key.slice(PREFIX.length) as AccountId;
}

export function toRegisterValue(record: ContactRecord): string {
  return toBase64Url(new TextEncoder().encode(JSON.stringify(record)));
}

/** Undefined for a value in a newer format: the contact shows once this app is updated. */
export function readContactRecord({ value = '' }: Register): ContactRecord | undefined {
  try {
    return ContactRecord.parse(JSON.parse(new TextDecoder().decode(fromBase64Url(value))));
  } catch {
    return undefined;
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
