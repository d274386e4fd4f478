/** Preferences of contacts that are hidden from the server: one document of account data per preference (SPEC W6). */
import {
  CONTACT_PREFERENCES,
  DEFAULT_SEALED_PREFERENCES,
  SEALED_PREFERENCES,
  type SealedPreference,
  type SealedPreferences,
} from '@dostar/protocol/contract/contact-preferences';
import type { AccountId } from '@dostar/protocol/ids';
import { type ItemDeps, openValue, setItem } from '../account-data/items.ts';
import type { AtRest } from '../storage/at-rest.ts';
import type { Db } from '../storage/open.ts';
import type { ItemRow } from '../storage/rows.ts';
import type { Contact, UnsealedContact } from './store.ts';

/** A preference at its default is not stored. */
export async function setSealedPreferences(
  db: Db,
  deps: ItemDeps,
  peer: AccountId,
  changes: Partial<SealedPreferences>,
): Promise<void> {
  for (const name of SEALED_PREFERENCES) {
    if (changes[name] === undefined) continue;
    const value = CONTACT_PREFERENCES[name].type.parse(changes[name]);
    const isDefault = value === CONTACT_PREFERENCES[name].default;
    await setItem(db, deps, docOf(name), peer, isDefault ? undefined : value);
  }
}

export async function listPreferenceRows(db: Db): Promise<ItemRow[]> {
  return db.items.where('doc').anyOf(SEALED_PREFERENCES.map(docOf)).toArray();
}

export async function findPreferenceRows(db: Db, peer: AccountId): Promise<ItemRow[]> {
  const rows = await db.items.bulkGet(SEALED_PREFERENCES.map((name): [string, string] => [docOf(name), peer]));
  return rows.filter((row) => row !== undefined);
}

export async function addSealedPreferences(
  atRest: AtRest,
  contacts: UnsealedContact[],
  rows: ItemRow[],
): Promise<Contact[]> {
  const byContact = new Map<string, Partial<SealedPreferences>>();
  const values = await Promise.all(rows.map((row) => openValue(atRest, row)));
  for (const [index, { doc, item }] of rows.entries()) {
    const name = SEALED_PREFERENCES.find((one) => docOf(one) === doc);
    if (name === undefined) continue;
    // A newer version may have stored a value that this version does not know: it counts as the default.
    const { success, data } = CONTACT_PREFERENCES[name].type.safeParse(values[index]);
    if (success) byContact.set(item, { ...byContact.get(item), [name]: data });
  }
  return contacts.map((contact) => ({ ...contact, ...DEFAULT_SEALED_PREFERENCES, ...byContact.get(contact.id) }));
}

function docOf(name: SealedPreference): string {
  // Nicknames were stored under this name before there was a table of preferences.
  return name === 'alias' ? 'aliases' : `preference/${name}`;
}
