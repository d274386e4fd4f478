/** Each attack alternates between both processes until it is stopped, and returns how many calls were accepted. */
import { randomBytes } from 'node:crypto';
import { Browser, newEmail, randomAddress } from '@dostar/client/testing/http-browser';
import * as accounts from '@dostar/protocol/contract/accounts';
import { findUser } from '@dostar/protocol/contract/contacts';
import * as factors from '@dostar/protocol/contract/second-factors';
import * as passwords from '@dostar/protocol/contract/passwords';
import { requestPasswordReset } from '@dostar/protocol/contract/recovery';
import { getSession, SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import { lightOpaque } from '../../harness/accounts/light-opaque.ts';
import { codeIn } from '@dostar/tools/emails';
import type { Inbox } from '../../harness/accounts/inbox.ts';
import { totpCode } from '@dostar/tools/totp';

export interface Fixture {
  /** Both processes. */
  urls: string[];
  inbox: Inbox;
}

export interface Attack {
  name: string;
  /** The name of the limit in docs/operate/limits.md. */
  limit: string;
  /** Exhausts the limit for first sign-ins, which all users of a network share. */
  affectsNewAccounts?: boolean;
  /** Returns how many calls were accepted. Uses `address` where the limit counts by network. */
  run: (fixture: Fixture, address: string) => Promise<number>;
}

const PASSWORD = 'four words are enough';

export const ATTACKS: Attack[] = [
  { name: 'guessing codes', limit: 'code-tries', run: guessCodes },
  { name: 'guessing a password from many networks', limit: 'login-account', run: guessPassword },
  { name: 'guessing a second factor', limit: 'factor-account', run: guessFactor },
  { name: 'guessing sessions', limit: 'wrong-token', run: guessSessions },
  { name: 'probing accounts by signing in', limit: 'email-looks', affectsNewAccounts: true, run: probeBySigningIn },
  { name: 'probing accounts by signing up', limit: 'sign-ups', run: probeBySigningUp },
  { name: 'probing accounts by recovery', limit: 'recovery-address', run: probeByRecovery },
  { name: 'flooding one mailbox with codes', limit: 'codes-email', run: floodOne },
  { name: 'flooding many mailboxes with codes', limit: 'codes-address', run: floodMany },
  { name: 'flooding one mailbox with recovery emails', limit: 'recovery-email', run: floodByRecovery },
  { name: 'sweeping usernames', limit: 'find-user', run: sweepUsernames },
  { name: 'sweeping usernames with many accounts', limit: 'find-user-address', run: sweepTogether },
];

/** After this many accepted calls the attack counts as not stopped. */
const MAX_ATTEMPTS = 450;
/** Number of refusals after which the attack counts as stopped. */
const REFUSALS_TO_STOP = 4;

/** Repeats `act` until the rate limit refuses it; returns how often it was not refused. */
async function attemptUntilRefused(act: (turn: number) => Promise<string | undefined>): Promise<number> {
  let [accepted, refused] = [0, 0];
  for (let turn = 0; accepted < MAX_ATTEMPTS && refused < REFUSALS_TO_STOP; turn += 1) {
    const failure = await act(turn);
    if (failure === 'rate_limited') refused += 1;
    else accepted += 1;
  }
  return accepted;
}

export async function makePerson({ urls, inbox }: Fixture): Promise<Browser & { email: string }> {
  const browser = Object.assign(new Browser({ urls, opaque: lightOpaque }), { email: newEmail() });
  const { auth, email } = browser;
  await auth.beginSignUp({ email, password: PASSWORD, locale: 'en' });
  await auth.confirmSignUp(email, codeIn(await inbox.waitForEmail(email)));
  return browser;
}

export function signIn(browser: Browser, email: string): Promise<string | undefined> {
  return browser.try(() => browser.auth.signIn(email, PASSWORD));
}

function signedOutBrowser({ urls }: Fixture, address?: string): Browser {
  return new Browser({ urls, opaque: lightOpaque, ...(address !== undefined && { address }) });
}

/** Starts a new sign-up whenever the tries of a code are used up. */
async function guessCodes(fixture: Fixture, address: string): Promise<number> {
  const email = newEmail();
  let browser = signedOutBrowser(fixture, address);
  let code = '';
  return attemptUntilRefused(async (turn) => {
    if (turn % accounts.MAX_CODE_ATTEMPTS === 0 && turn < 4 * accounts.MAX_CODE_ATTEMPTS) {
      browser = signedOutBrowser(fixture, address);
      await browser.auth.beginSignUp({ email, password: PASSWORD, locale: 'en' });
      code = codeIn(await fixture.inbox.waitForEmail(email, turn / accounts.MAX_CODE_ATTEMPTS + 1));
    }
    const wrong = String((Number(code) + 1 + turn) % 1_000_000).padStart(6, '0');
    return browser.try(() => browser.call(accounts.verifyCode, { email, code: wrong }));
  });
}

async function guessPassword(fixture: Fixture): Promise<number> {
  const { email } = await makePerson(fixture);
  const browser = signedOutBrowser(fixture);
  return attemptUntilRefused(async (turn) => {
    browser.address = randomAddress();
    return browser.try(() => browser.auth.signIn(email, `guess ${turn}`));
  });
}

async function guessFactor(fixture: Fixture, address: string): Promise<number> {
  const owner = await makePerson(fixture);
  const { secret } = await owner.call(factors.startTotp, {});
  await owner.call(factors.confirmFactor, { kind: 'totp', code: totpCode(secret) });
  const thief = signedOutBrowser(fixture, address);
  await thief.auth.signIn(owner.email, PASSWORD);
  const { cookies } = thief;
  return attemptUntilRefused(async () => {
    // The server ends a session after some wrong codes: the thief knows the password and signs in again.
    const wrong = String((Number(totpCode(secret)) + 111_111) % 1_000_000).padStart(6, '0');
    const failure = await thief.try(() => thief.call(factors.verifyFactor, { kind: 'totp', code: wrong }));
    if (failure === 'unauthenticated' || failure === 'too_many_tries') {
      cookies.delete(SESSION_COOKIE);
      await thief.auth.signIn(owner.email, PASSWORD);
    }
    return failure;
  });
}

async function guessSessions(fixture: Fixture, address: string): Promise<number> {
  const browser = signedOutBrowser(fixture, address);
  return attemptUntilRefused(() => {
    browser.cookies.set(SESSION_COOKIE, randomBytes(48).toString('base64url'));
    return browser.try(() => browser.call(getSession));
  });
}

async function probeBySigningIn(fixture: Fixture, address: string): Promise<number> {
  const { request } = await lightOpaque.startLogin('a guess');
  const browser = signedOutBrowser(fixture, address);
  return attemptUntilRefused(() =>
    browser.try(() => browser.call(passwords.startLogin, { email: newEmail(), request })),
  );
}

async function probeBySigningUp(fixture: Fixture, address: string): Promise<number> {
  const { email } = await makePerson(fixture);
  const { request } = await lightOpaque.startRegistration('a guess');
  const browser = signedOutBrowser(fixture, address);
  return attemptUntilRefused(() =>
    browser.try(() => browser.call(accounts.startSignUp, { email, locale: 'en', request })),
  );
}

async function probeByRecovery(fixture: Fixture, address: string): Promise<number> {
  const browser = signedOutBrowser(fixture, address);
  return attemptUntilRefused(() =>
    browser.try(() => browser.call(requestPasswordReset, { email: newEmail(), locale: 'en' })),
  );
}

/** Returns the number of emails that arrived. */
async function floodOne(fixture: Fixture): Promise<number> {
  const email = newEmail();
  const sent = await attemptUntilRefused(() => {
    const browser = signedOutBrowser(fixture);
    return browser.try(() => browser.auth.beginSignUp({ email, password: PASSWORD, locale: 'en' }));
  });
  await fixture.inbox.waitForEmail(email, sent);
  return (await fixture.inbox.listEmails(email)).length;
}

async function floodMany(fixture: Fixture, address: string): Promise<number> {
  return attemptUntilRefused(() => {
    const browser = signedOutBrowser(fixture, address);
    return browser.try(() => browser.auth.beginSignUp({ email: newEmail(), password: PASSWORD, locale: 'en' }));
  });
}

async function floodByRecovery(fixture: Fixture): Promise<number> {
  const { email } = await makePerson(fixture);
  const before = (await fixture.inbox.listEmails(email)).length;
  const sent = await attemptUntilRefused(() => {
    const browser = signedOutBrowser(fixture);
    return browser.try(() => browser.call(requestPasswordReset, { email, locale: 'en' }));
  });
  await fixture.inbox.waitForEmail(email, before + sent);
  return (await fixture.inbox.listEmails(email)).length - before;
}

async function sweepUsernames(fixture: Fixture, address: string): Promise<number> {
  const person = await makePerson(fixture);
  person.address = address;
  return attemptUntilRefused((turn) => person.try(() => person.call(findUser, { username: `quietfox${1000 + turn}` })));
}

async function sweepTogether(fixture: Fixture, address: string): Promise<number> {
  let person = await makePerson(fixture);
  let acceptedOfThem = 0;
  return attemptUntilRefused(async (turn) => {
    if (acceptedOfThem === PER_ACCOUNT) {
      [person, acceptedOfThem] = [await makePerson(fixture), 0];
    }
    acceptedOfThem += 1;
    person.address = address;
    return person.try(() => person.call(findUser, { username: `quietfox${1000 + turn}` }));
  });
}

/** Below the limit of a single account. */
const PER_ACCOUNT = 29;
