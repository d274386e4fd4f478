/** Runs the journeys and plants every secret that a user types, stores or receives. */
import { createOpaqueClient } from '@dostar/client/opaque';
import type { OpaqueClient } from '@dostar/client/opaque';
import { TICKET_COOKIE } from '@dostar/protocol/contract/accounts';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import { Browser, newEmail } from '@dostar/client/testing/http-browser';
import { codeIn } from '@dostar/tools/emails';
import type { Inbox } from '../../harness/accounts/inbox.ts';
import type { PlantedSecrets } from './planted-secrets.ts';

const ACCOUNT_BYTES = 16;

export interface Fixture {
  plantedSecrets: PlantedSecrets;
  inbox: Inbox;
  /** Both processes. */
  urls: string[];
  /** URLs of all calls. */
  addresses: string[];
  /** Collects evidence now, so that data that is stored only for a moment is found too. */
  look: () => Promise<void>;
}

export interface Journey {
  name: string;
  run: (fixture: Fixture) => Promise<void>;
}

export interface JourneyUser {
  email: string;
  browser: Browser;
}

/** A user with a browser of their own, whose cookies and keys are secrets. */
export function createUser(fixture: Fixture, email = newEmail()): JourneyUser {
  const { plantedSecrets, urls, addresses } = fixture;
  // The directory stores the address by design; no other place may.
  plantedSecrets.plant('email address', email, ['database']);
  const browser = new Browser({
    urls,
    opaque: watchOpaque(fixture),
    onCall(url) {
      addresses.push(url.href);
      plantBrowserSecrets(fixture, browser);
    },
  });
  return { email, browser };
}

export async function signUpUser(fixture: Fixture, password: string): Promise<JourneyUser> {
  const user = createUser(fixture);
  const { browser, email } = user;
  await browser.auth.beginSignUp({ email, password, locale: 'en' });
  await browser.auth.confirmSignUp(email, await readCode(fixture, email));
  plantBrowserSecrets(fixture, browser);
  return user;
}

/** The newest code in the mailbox. */
export async function readCode({ plantedSecrets, inbox }: Fixture, email: string, count = 1): Promise<string> {
  const code = codeIn(await inbox.waitForEmail(email, count));
  plantedSecrets.plant('email code', code);
  return code;
}

function plantBrowserSecrets({ plantedSecrets }: Fixture, { cookies, keys }: Browser): void {
  const token = cookies.get(SESSION_COOKIE);
  if (token !== undefined) {
    plantedSecrets.plant('session token', token);
    plantedSecrets.plant('session secret', Buffer.from(token, 'base64url').subarray(ACCOUNT_BYTES));
  }
  const ticket = cookies.get(TICKET_COOKIE);
  if (ticket !== undefined) plantedSecrets.plant('sign-up ticket', ticket);
  for (const key of keys.kept) plantedSecrets.plant('account key', key);
}

function watchOpaque({ plantedSecrets }: Fixture): OpaqueClient {
  const real = createOpaqueClient();
  const plantPassword = (password: string): void => plantedSecrets.plant('password', password);
  return {
    async startRegistration(password) {
      plantPassword(password);
      const started = await real.startRegistration(password);
      plantedSecrets.plant('OPAQUE state', started.state);
      return started;
    },
    async finishRegistration(password, state, response) {
      const done = await real.finishRegistration(password, state, response);
      plantedSecrets.plant('OPAQUE export key', Buffer.from(done.exportKey, 'base64url'));
      return done;
    },
    async startLogin(password) {
      plantPassword(password);
      const started = await real.startLogin(password);
      plantedSecrets.plant('OPAQUE state', started.state);
      return started;
    },
    async finishLogin(password, state, response) {
      const done = await real.finishLogin(password, state, response);
      if (done) plantedSecrets.plant('OPAQUE export key', Buffer.from(done.exportKey, 'base64url'));
      return done;
    },
  };
}
