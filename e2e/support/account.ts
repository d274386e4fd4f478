/** Accounts created over HTTP by the headless client, and browsers signed in to them without using the screens. */
import { randomUUID } from 'node:crypto';
import type { OpaqueClient } from '@dostar/client/opaque';
import { Browser as HttpBrowser } from '@dostar/client/testing/http-browser';
import { decideContact } from '@dostar/protocol/contract/contacts';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import { getUser } from '@dostar/protocol/contract/users';
import type { AccountId } from '@dostar/protocol/ids';
import type { BrowserContext, Page } from '@playwright/test';
import { codeIn } from '@dostar/tools/emails';
import { type Inbox } from './inbox.ts';

export const password = 'steppe wind over grass';

export interface Account {
  id: AccountId;
  username: string;
  email: string;
  origin: string;
  /** The session of the sign-up. Only one browser at a time may use it, since it is one device. */
  http: HttpBrowser;
}

let made = 0;
export function newEmail(name = 'aigerim'): string {
  made += 1;
  return `${name}${made}-${Date.now().toString(36)}@example.org`;
}

interface NewAccount {
  origin: string;
  /** The address for calls; the origin if missing. */
  server?: string;
  inbox: Inbox;
  email: string;
  password?: string;
  /** Names the device of its first session. */
  userAgent?: string;
  /** Other stretching than browsers use. Browsers then cannot sign in. */
  opaque?: OpaqueClient;
}

/** Signs up with email, code and password, as the screen does. */
export async function createAccount(options: NewAccount): Promise<Account> {
  const { origin, server = origin, inbox, email, userAgent, opaque } = options;
  const http = new HttpBrowser({ urls: [server], origin, ...(userAgent && { userAgent }), ...(opaque && { opaque }) });
  await http.auth.beginSignUp({ email, password: options.password ?? password, locale: 'en' });
  const id = await http.auth.confirmSignUp(email, codeIn(await inbox.waitForEmail(email)));
  const { username } = await http.call(getUser);
  return { id, username: username ?? '', email, origin, http };
}

/** Makes both accounts accept each other. */
export async function befriend(one: Account, other: Account): Promise<void> {
  await one.http.call(decideContact, { act: randomUUID(), peer: other.id, decision: 'accept' });
  await other.http.call(decideContact, { act: randomUUID(), peer: one.id, decision: 'accept' });
}

/**
 * Stores the session and the account key where signing in stores them. Playwright's `storageState` has neither
 * IndexedDB nor Cache Storage. The next page starts as a new browser of the account.
 */
export async function signInContext(context: BrowserContext, account: Account): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${account.origin}/robots.txt`);
  await signInPage(page, account);
  await page.close();
}

/** The same through a page of the site that does not run the app. */
export async function signInPage(page: Page, { id, username, http }: Account): Promise<void> {
  const [token, accountKey] = [http.cookies.get(SESSION_COOKIE) ?? '', await http.keys.get(id)];
  if (token === '' || accountKey === undefined) throw new Error('this account is not signed in');
  await page.evaluate(keepSignIn, { cookie: `${SESSION_COOKIE}=${token}`, id, username, secret: [...accountKey] });
}

interface SignIn {
  cookie: string;
  id: string;
  username: string;
  secret: number[];
}

/** Stores the data as `session.ts` of the web app and `createKeyStore` of the client do. Runs in the page. */
async function keepSignIn({ cookie, id, username, secret }: SignIn): Promise<void> {
  document.cookie = `${cookie}; Secure; Path=/; SameSite=Lax`;
  localStorage.setItem('account', JSON.stringify({ id, username }));
  localStorage.setItem('globalSettings', JSON.stringify({ isSignedInHere: true }));
  const deviceKey = crypto.getRandomValues(new Uint8Array(32));
  await (await caches.open('keys')).put(`/device-key/${id}`, new Response(deviceKey));
  const key = await crypto.subtle.importKey('raw', deviceKey, 'AES-GCM', false, ['encrypt']);
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const additionalData = new TextEncoder().encode(id);
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, key, new Uint8Array(secret));
  // Dexie multiplies its version numbers by ten.
  const opening = indexedDB.open('dostar/keys', 20);
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('kept', { keyPath: 'account' }));
  await new Promise((resolve, reject) => {
    opening.addEventListener('success', resolve);
    opening.addEventListener('error', () => reject(opening.error ?? new Error('no database')));
  });
  const writing = opening.result.transaction('kept', 'readwrite');
  writing.objectStore('kept').put({ account: id, iv, sealed });
  await new Promise((resolve, reject) => {
    writing.addEventListener('complete', resolve);
    writing.addEventListener('abort', () => reject(writing.error ?? new Error('not written')));
  });
  opening.result.close();
}
