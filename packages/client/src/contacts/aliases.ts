/** What this account calls its contacts: account data, sealed for its own devices (SPEC W6). */
import type { AccountId } from '@dostar/protocol/ids';
import { type ItemDeps, openValue, setItem } from '../account-data/items.ts';
import type { AtRest } from '../storage/at-rest.ts';
import type { Db } from '../storage/open.ts';
import type { ItemRow } from '../storage/rows.ts';
import type { Contact, UnaliasedContact } from './store.ts';

const DOC = 'aliases';
const MAX_LENGTH = 100;

/** An empty one takes it back. */
export async function setAlias(db: Db, deps: ItemDeps, peer: AccountId, alias: string): Promise<void> {
  await setItem(db, deps, DOC, peer, alias.trim().slice(0, MAX_LENGTH) || undefined);
}

export async function listAliasRows(db: Db): Promise<ItemRow[]> {
  return db.items.where('doc').equals(DOC).toArray();
}

export async function findAliasRows(db: Db, peer: AccountId): Promise<ItemRow[]> {
  const row = await db.items.get([DOC, peer]);
  return row === undefined ? [] : [row];
}

export async function addAliases(atRest: AtRest, contacts: UnaliasedContact[], rows: ItemRow[]): Promise<Contact[]> {
  const values = await Promise.all(rows.map((row) => openValue(atRest, row)));
  const aliases = new Map(rows.map(({ item }, index) => [item, values[index]]));
  return contacts.map((contact) => {
    const alias = aliases.get(contact.id);
    return typeof alias === 'string' ? { ...contact, alias } : contact;
  });
}
