import type { Client } from '@dostar/client';
// Imported before other parts of the client: it puts a database into the global object.
import { openBrowser } from '@dostar/client/testing/browser';
import { startBrowser } from '@dostar/client/testing/owners';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import type { Account } from '../support/account.ts';
import type { Inbox } from '../support/inbox.ts';
import type { SampleName } from './script.ts';

export interface SampleSite {
  /** The origin in the address bar of browsers. */
  origin: string;
  /** Where calls go. */
  server: string;
  inbox: Inbox;
}

/** Disposing signs the device out, since its keys end with this process. */
export interface Person extends AsyncDisposable {
  account: Account;
  client: Client;
}

export type People = Record<SampleName, Person>;

/**
 * Opens a device of the account. After 'device unlocked' it can read; after 'dehydrated device visited' the account has
 * all its devices.
 */
export async function openPerson(
  { origin, server }: SampleSite,
  account: Account,
  event: 'device unlocked' | 'dehydrated device visited' = 'dehydrated device visited',
): Promise<Person> {
  const { id, http } = account;
  const accountKey = await http.keys.get(id);
  const token = http.cookies.get(SESSION_COOKIE);
  if (accountKey === undefined || token === undefined) throw new Error(`${account.email} is not signed in`);
  const servers = [{ url: server }];
  const browser = openBrowser({ servers }, { account: id, token }, { accountKey, origin });
  const { client } = await startBrowser(browser, event);
  return {
    account,
    client,
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await http.auth.signOut(id);
    },
  };
}
