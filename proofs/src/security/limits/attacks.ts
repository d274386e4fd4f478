/** Each tries until it is stopped, by turns at both processes, and says how often it was heard. */
import { randomBytes } from 'node:crypto';
import { Browser, newEmail, randomAddress } from '@dostar/client/testing/http-browser';
import * as accounts from '@dostar/protocol/contract/accounts';
import { findUser } from '@dostar/protocol/contract/contacts';
import * as factors from '@dostar/protocol/contract/second-factors';
import * as passwords from '@dostar/protocol/contract/passwords';
import { requestPasswordReset } from '@dostar/protocol/contract/recovery';
import { getSession, SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import { lightOpaque } from '../../harness/people/light-opaque.ts';
import { codeIn } from '../../harness/people/post.ts';
import type { Post } from '../../harness/people/post.ts';
import { totpCode } from '../../harness/people/totp.ts';

export interface Scene {
  /** Both processes. */
  urls: string[];
  post: Post;
}

export interface Attack {
  name: string;
  /** Of docs/operations.md. */
  limit: string;
  /** Uses up what everybody in its network has for signing in for the first time. */
  isFeltByNewcomers?: boolean;
  /** How often it was heard. All from `address`, where a single network matters. */
  run: (scene: Scene, address: string) => Promise<number>;
}

const PASSWORD = 'four words are enough';

export const ATTACKS: Attack[] = [
  { name: 'guessing codes', limit: 'code-tries', run: guessCodes },
  { name: 'guessing a password from many networks', limit: 'login-account', run: guessPassword },
  { name: 'guessing a second factor', limit: 'factor-account', run: guessFactor },
  { name: 'guessing sessions', limit: 'wrong-token', run: guessSessions },
  { name: 'probing accounts by signing in', limit: 'email-looks', isFeltByNewcomers: true, run: probeBySigningIn },
  { name: 'probing accounts by signing up', limit: 'sign-ups', run: probeBySigningUp },
  { name: 'probing accounts by recovery', limit: 'recovery-address', run: probeByRecovery },
  { name: 'flooding one mailbox with codes', limit: 'codes-email', run: floodOne },
  { name: 'flooding many mailboxes with codes', limit: 'codes-address', run: floodMany },
  { name: 'flooding one mailbox with recovery letters', limit: 'recovery-email', run: floodByRecovery },
  { name: 'sweeping usernames', limit: 'find-user', run: sweepUsernames },
  { name: 'sweeping usernames with many accounts', limit: 'find-user-address', run: sweepTogether },
];

/** Past this it is not going to be stopped. */
const ENOUGH = 450;
/** A stopped attacker does not believe it at once. */
const INSISTS = 4;

/** `act` again and again until it is refused for being too much; answers how often it was not. */
async function insist(act: (turn: number) => Promise<string | undefined>): Promise<number> {
  let [heard, refused] = [0, 0];
  for (let turn = 0; heard < ENOUGH && refused < INSISTS; turn += 1) {
    const failure = await act(turn);
    if (failure === 'rate_limited') refused += 1;
    else heard += 1;
  }
  return heard;
}

export async function makePerson({ urls, post }: Scene): Promise<Browser & { email: string }> {
  const browser = Object.assign(new Browser({ urls, opaque: lightOpaque }), { email: newEmail() });
  const { auth, email } = browser;
  await auth.beginSignUp({ email, password: PASSWORD, locale: 'en' });
  await auth.confirmSignUp(email, codeIn(await post.waitForLetter(email)));
  return browser;
}

export function signIn(browser: Browser, email: string): Promise<string | undefined> {
  return browser.try(() => browser.auth.signIn(email, PASSWORD));
}

function stranger({ urls }: Scene, address?: string): Browser {
  return new Browser({ urls, opaque: lightOpaque, ...(address !== undefined && { address }) });
}

/** Begins a sign-up again whenever a code has borne its tries. */
async function guessCodes(scene: Scene, address: string): Promise<number> {
  const email = newEmail();
  let browser = stranger(scene, address);
  let code = '';
  return insist(async (turn) => {
    if (turn % accounts.MAX_CODE_ATTEMPTS === 0 && turn < 4 * accounts.MAX_CODE_ATTEMPTS) {
      browser = stranger(scene, address);
      await browser.auth.beginSignUp({ email, password: PASSWORD, locale: 'en' });
      code = codeIn(await scene.post.waitForLetter(email, turn / accounts.MAX_CODE_ATTEMPTS + 1));
    }
    const wrong = String((Number(code) + 1 + turn) % 1_000_000).padStart(6, '0');
    return browser.try(() => browser.call(accounts.verifyCode, { email, code: wrong }));
  });
}

async function guessPassword(scene: Scene): Promise<number> {
  const { email } = await makePerson(scene);
  const browser = stranger(scene);
  return insist(async (turn) => {
    browser.address = randomAddress();
    return browser.try(() => browser.auth.signIn(email, `guess ${turn}`));
  });
}

async function guessFactor(scene: Scene, address: string): Promise<number> {
  const owner = await makePerson(scene);
  const { secret } = await owner.call(factors.startTotp, {});
  await owner.call(factors.confirmFactor, { kind: 'totp', code: totpCode(secret) });
  const thief = stranger(scene, address);
  await thief.auth.signIn(owner.email, PASSWORD);
  const { cookies } = thief;
  return insist(async () => {
    // A session is given up after some wrong codes: the thief knows the password and opens the next.
    const wrong = String((Number(totpCode(secret)) + 111_111) % 1_000_000).padStart(6, '0');
    const failure = await thief.try(() => thief.call(factors.verifyFactor, { kind: 'totp', code: wrong }));
    if (failure === 'unauthenticated' || failure === 'too_many_tries') {
      cookies.delete(SESSION_COOKIE);
      await thief.auth.signIn(owner.email, PASSWORD);
    }
    return failure;
  });
}

async function guessSessions(scene: Scene, address: string): Promise<number> {
  const browser = stranger(scene, address);
  return insist(() => {
    browser.cookies.set(SESSION_COOKIE, randomBytes(48).toString('base64url'));
    return browser.try(() => browser.call(getSession));
  });
}

async function probeBySigningIn(scene: Scene, address: string): Promise<number> {
  const { request } = await lightOpaque.startLogin('a guess');
  const browser = stranger(scene, address);
  return insist(() => browser.try(() => browser.call(passwords.startLogin, { email: newEmail(), request })));
}

async function probeBySigningUp(scene: Scene, address: string): Promise<number> {
  const { email } = await makePerson(scene);
  const { request } = await lightOpaque.startRegistration('a guess');
  const browser = stranger(scene, address);
  return insist(() => browser.try(() => browser.call(accounts.startSignUp, { email, locale: 'en', request })));
}

async function probeByRecovery(scene: Scene, address: string): Promise<number> {
  const browser = stranger(scene, address);
  return insist(() => browser.try(() => browser.call(requestPasswordReset, { email: newEmail(), locale: 'en' })));
}

/** Counted are the letters that came. */
async function floodOne(scene: Scene): Promise<number> {
  const email = newEmail();
  const sent = await insist(() => {
    const browser = stranger(scene);
    return browser.try(() => browser.auth.beginSignUp({ email, password: PASSWORD, locale: 'en' }));
  });
  await scene.post.waitForLetter(email, sent);
  return (await scene.post.listLetters(email)).length;
}

async function floodMany(scene: Scene, address: string): Promise<number> {
  return insist(() => {
    const browser = stranger(scene, address);
    return browser.try(() => browser.auth.beginSignUp({ email: newEmail(), password: PASSWORD, locale: 'en' }));
  });
}

async function floodByRecovery(scene: Scene): Promise<number> {
  const { email } = await makePerson(scene);
  const before = (await scene.post.listLetters(email)).length;
  const sent = await insist(() => {
    const browser = stranger(scene);
    return browser.try(() => browser.call(requestPasswordReset, { email, locale: 'en' }));
  });
  await scene.post.waitForLetter(email, before + sent);
  return (await scene.post.listLetters(email)).length - before;
}

async function sweepUsernames(scene: Scene, address: string): Promise<number> {
  const person = await makePerson(scene);
  person.address = address;
  return insist((turn) => person.try(() => person.call(findUser, { username: `quietfox${1000 + turn}` })));
}

async function sweepTogether(scene: Scene, address: string): Promise<number> {
  let person = await makePerson(scene);
  let heardOfThem = 0;
  return insist(async (turn) => {
    if (heardOfThem === PER_ACCOUNT) {
      [person, heardOfThem] = [await makePerson(scene), 0];
    }
    heardOfThem += 1;
    person.address = address;
    return person.try(() => person.call(findUser, { username: `quietfox${1000 + turn}` }));
  });
}

/** Below what one account is stopped at. */
const PER_ACCOUNT = 29;
