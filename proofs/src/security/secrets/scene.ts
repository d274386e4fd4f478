/** Where the journeys take place: whatever a person types, keeps or is handed is planted in the ledger. */
import { createOpaqueClient } from '@dostar/client/opaque';
import type { OpaqueClient } from '@dostar/client/opaque';
import { TICKET_COOKIE } from '@dostar/protocol/contract/accounts';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import { Browser, newEmail } from '@dostar/client/testing/http-browser';
import { codeIn } from '../../harness/people/post.ts';
import type { Post } from '../../harness/people/post.ts';
import type { Ledger } from './ledger.ts';

const ACCOUNT_BYTES = 16;

export interface Scene {
  ledger: Ledger;
  post: Post;
  /** Both processes. */
  urls: string[];
  /** Of every call. */
  addresses: string[];
  /** A look at everything now: what is kept for a moment is kept. */
  look: () => Promise<void>;
}

export interface Journey {
  name: string;
  run: (scene: Scene) => Promise<void>;
}

export interface Traveller {
  email: string;
  browser: Browser;
}

/** Somebody with a browser of their own, whose cookies and keys are secrets. */
export function newTraveller(scene: Scene, email = newEmail()): Traveller {
  const { ledger, urls, addresses } = scene;
  // The directory has to know an address; nobody else does.
  ledger.plant('e-mail address', email, ['database']);
  const browser = new Browser({
    urls,
    opaque: watchOpaque(scene),
    onCall(url) {
      addresses.push(url.href);
      plantBelongings(scene, browser);
    },
  });
  return { email, browser };
}

export async function newAccount(scene: Scene, password: string): Promise<Traveller> {
  const traveller = newTraveller(scene);
  const { browser, email } = traveller;
  await browser.auth.beginSignUp({ email, password, locale: 'en' });
  await browser.auth.confirmSignUp(email, await readCode(scene, email));
  plantBelongings(scene, browser);
  return traveller;
}

/** The newest code in the letter box. */
export async function readCode({ ledger, post }: Scene, email: string, letter = 1): Promise<string> {
  const code = codeIn(await post.waitForLetter(email, letter));
  ledger.plant('e-mail code', code);
  return code;
}

function plantBelongings({ ledger }: Scene, { cookies, keys }: Browser): void {
  const token = cookies.get(SESSION_COOKIE);
  if (token !== undefined) {
    ledger.plant('session token', token);
    ledger.plant('session secret', Buffer.from(token, 'base64url').subarray(ACCOUNT_BYTES));
  }
  const ticket = cookies.get(TICKET_COOKIE);
  if (ticket !== undefined) ledger.plant('sign-up ticket', ticket);
  for (const key of keys.kept) ledger.plant('account key', key);
}

function watchOpaque({ ledger }: Scene): OpaqueClient {
  const real = createOpaqueClient();
  const plantPassword = (password: string): void => ledger.plant('password', password);
  return {
    async startRegistration(password) {
      plantPassword(password);
      const started = await real.startRegistration(password);
      ledger.plant('OPAQUE state', started.state);
      return started;
    },
    async finishRegistration(password, state, response) {
      const done = await real.finishRegistration(password, state, response);
      ledger.plant('OPAQUE export key', Buffer.from(done.exportKey, 'base64url'));
      return done;
    },
    async startLogin(password) {
      plantPassword(password);
      const started = await real.startLogin(password);
      ledger.plant('OPAQUE state', started.state);
      return started;
    },
    async finishLogin(password, state, response) {
      const done = await real.finishLogin(password, state, response);
      if (done) ledger.plant('OPAQUE export key', Buffer.from(done.exportKey, 'base64url'));
      return done;
    },
  };
}
