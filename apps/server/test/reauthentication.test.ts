/** What re-authentication requires: real shards, real OPAQUE, a software authenticator. */
import * as factors from '@dostar/protocol/contract/second-factors';
import * as passkeys from '@dostar/protocol/contract/passkeys';
import * as reauthentication from '@dostar/protocol/contract/reauthentication';
import * as sessions from '@dostar/protocol/contract/sessions';
import type { AccountId } from '@dostar/protocol/ids';
import * as opaque from '@serenity-kit/opaque';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newEmail, TestBrowser } from './browser.ts';
import { makeApp } from './appwrite-people.ts';
import { startSmtpPeer } from './smtp-peer.ts';
import type { SmtpPeer } from './smtp-peer.ts';
import { answer, makePasskey } from './soft-authenticator.ts';
import type { SoftPasskey } from './soft-authenticator.ts';
import { callServer, startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

const MINUTE = 60_000;
const REFUSED = { status: 403, body: { error: 'reauthenticate' } };
let smtp: SmtpPeer;
let cluster: TestCluster;
let skippedMs = 0;
const clock = { now: () => Date.now() + skippedMs };

beforeAll(async () => {
  await opaque.ready;
  smtp = await startSmtpPeer();
  cluster = await startTestCluster({
    postgresUrl: inject('postgresUrl'),
    natsUrl: inject('natsUrl'),
    overrides: { clock },
    env: { SMTP_URL: smtp.url },
  });
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await smtp[Symbol.asyncDispose]();
});

class Browser extends TestBrowser {
  constructor() {
    super(cluster.url, smtp);
  }

  async addPasskey(): Promise<SoftPasskey> {
    const { options, challenge } = (await this.call(passkeys.startPasskey, {})).body;
    const { passkey, response } = makePasskey(options);
    const made = await this.call(passkeys.finishPasskey, { challenge, response, name: 'A key' });
    expect(made).toMatchObject({ status: 200 });
    return passkey;
  }

  async proveBy(passkey: SoftPasskey) {
    const { options, challenge } = (await this.call(reauthentication.startPasskeyReauthentication, {})).body;
    return this.call(reauthentication.finishPasskeyReauthentication, { challenge, response: answer(passkey, options) });
  }

  async idOf(): Promise<AccountId> {
    return (await this.call(sessions.getSession)).body.account;
  }
}

async function newPerson(): Promise<{ browser: Browser; email: string }> {
  const [browser, email] = [new Browser(), newEmail()];
  await browser.signUp(email);
  return { browser, email };
}

const tokenOf = (browser: Browser): string => browser.cookies.get(sessions.SESSION_COOKIE)!;
const callWith = (token: string) => callServer(cluster.url, sessions.getSession, { token, account: '' as never });

describe('a change of the password', () => {
  const change = { endOthers: false };

  test('needs the current password: neither a sign-in nor a passkey replaces it', async () => {
    const { browser, email } = await newPerson();
    const passkey = await browser.addPasskey();
    await browser.signIn(email);
    expect(await browser.proveBy(passkey)).toMatchObject({ status: 200 });
    expect(await browser.changePassword('another one', change)).toMatchObject(REFUSED);

    expect(await browser.prove()).toMatchObject({ status: 200 });
    expect(await browser.changePassword('another one', change)).toMatchObject({ status: 200 });
    expect(await new Browser().signIn(email, 'another one')).toMatchObject({ status: 200 });
  });

  test('uses up the re-authentication, which lasts ten minutes', async () => {
    const { browser } = await newPerson();
    await browser.prove();
    await browser.changePassword('another one', change);
    expect(await browser.changePassword('a third one', change)).toMatchObject(REFUSED);

    await browser.prove('another one');
    skippedMs += 11 * MINUTE;
    expect(await browser.changePassword('a third one', change)).toMatchObject(REFUSED);
  });

  test('is possible without one if the account has no password', async () => {
    const { browser } = await newPerson();
    const owner = await browser.idOf();
    await cluster.ctx.shards
      .of(owner)
      .query((db) => db.deleteFrom('opaque_record').where('owner', '=', owner).execute());
    expect(await browser.changePassword('the first one', change)).toMatchObject({ status: 200 });
  });
});

describe('the token of a session', () => {
  test('is replaced by re-authentication; the old one ends a minute after the first use of the new one', async () => {
    const { browser } = await newPerson();
    const before = tokenOf(browser);
    expect(await browser.prove()).toMatchObject({ status: 200 });
    expect(tokenOf(browser)).not.toBe(before);
    expect(await callWith(before)).toMatchObject({ status: 200 });
    const owner = await browser.idOf();
    const readEnd = () =>
      cluster.ctx.shards
        .of(owner)
        .query((db) =>
          db.selectFrom('session').select('former_until as until').where('owner', '=', owner).executeTakeFirstOrThrow(),
        );
    await expect.poll(async () => (await readEnd()).until).not.toBeNull();
    skippedMs += 2 * MINUTE;
    const late = { status: 401, body: { error: 'unauthenticated', details: { reason: 'replaced' } } };
    expect(await callWith(before)).toMatchObject(late);
    expect(await browser.call(sessions.getSession)).toMatchObject({ status: 200 });
  });

  test('stays valid until the new one is used, and can be replaced again', async () => {
    const { browser } = await newPerson();
    const before = tokenOf(browser);
    await browser.prove();
    browser.cookies.set(sessions.SESSION_COOKIE, before);
    skippedMs += 60 * MINUTE;
    expect(await browser.call(sessions.getSession)).toMatchObject({ status: 200 });
    expect(await browser.prove()).toMatchObject({ status: 200 });
    expect(await browser.call(sessions.getSession)).toMatchObject({ status: 200 });
  });

  test('does not share the re-authentication of the token that replaced it', async () => {
    const { browser } = await newPerson();
    skippedMs += 11 * MINUTE;
    const copy = new Browser();
    copy.cookies.set(sessions.SESSION_COOKIE, tokenOf(browser));
    expect(await browser.prove()).toMatchObject({ status: 200 });
    expect(await copy.call(passkeys.startPasskey, {})).toMatchObject(REFUSED);
    expect(await browser.call(passkeys.startPasskey, {})).toMatchObject({ status: 200 });
  });

  test('ends with a new sign-in in the same browser, to whichever account', async () => {
    const { browser, email } = await newPerson();
    const [elsewhere, other] = [new Browser(), await newPerson()];
    await elsewhere.signIn(email);
    for (const next of [email, other.email]) {
      const before = tokenOf(browser);
      expect(await browser.signIn(next)).toMatchObject({ status: 200 });
      await expect.poll(() => callWith(before)).toMatchObject({ status: 401 });
    }
    const { body } = await elsewhere.call(sessions.listSessions);
    expect(body.sessions).toMatchObject([{ isThis: true }]);
  });

  test('ends with a sign-in by passkey in the same browser', async () => {
    const { browser } = await newPerson();
    const [passkey, before] = [await browser.addPasskey(), tokenOf(browser)];
    const { options, challenge } = (await browser.call(passkeys.startPasskeyLogin, {})).body;
    const signedIn = await browser.call(passkeys.finishPasskeyLogin, { challenge, response: answer(passkey, options) });
    expect(signedIn).toMatchObject({ status: 200 });
    await expect.poll(() => callWith(before)).toMatchObject({ status: 401 });
  });
});

async function newGuarded(): Promise<{ browser: Browser; code: () => string }> {
  const { browser } = await newPerson();
  const { secret } = (await browser.call(factors.startTotp, {})).body;
  const code = makeApp(secret, clock.now);
  await browser.call(factors.confirmFactor, { kind: 'totp', code: code() });
  skippedMs += 11 * MINUTE;
  return { browser, code };
}

describe('an account with two factors', () => {
  test('needs both: neither the password nor the second factor alone is enough', async () => {
    const { browser, code } = await newGuarded();
    const give = () => browser.call(reauthentication.verifyReauthenticationFactor, { kind: 'totp', code: code() });
    expect(await give()).toMatchObject(REFUSED);
    expect((await browser.call(reauthentication.listReauthenticationMethods)).body).toEqual({
      methods: ['password'],
      owes: [],
    });

    expect(await browser.prove()).toMatchObject({ status: 200, body: { owes: ['totp', 'recoverycode'] } });
    expect((await browser.call(reauthentication.listReauthenticationMethods)).body).toMatchObject({
      owes: ['totp', 'recoverycode'],
    });
    expect(await browser.call(factors.renewRecoveryCodes, {})).toMatchObject(REFUSED);
    expect(await browser.changePassword('another one', { endOthers: false })).toMatchObject(REFUSED);

    const wrong = await browser.call(reauthentication.verifyReauthenticationFactor, {
      kind: 'recoverycode',
      code: 'zzzzz-zzzzz',
    });
    expect(wrong).toMatchObject({ body: { error: 'wrong_code' } });
    expect(await browser.call(factors.renewRecoveryCodes, {})).toMatchObject(REFUSED);
    const before = tokenOf(browser);
    expect(await give()).toMatchObject({ status: 200 });
    expect(tokenOf(browser)).not.toBe(before);
    expect(await browser.call(factors.renewRecoveryCodes, {})).toMatchObject({ status: 200 });
    expect(await browser.changePassword('another one', { endOthers: false })).toMatchObject({ status: 200 });
  });

  test('may take ten minutes between the two', async () => {
    const { browser, code } = await newGuarded();
    await browser.prove();
    skippedMs += 11 * MINUTE;
    expect(
      await browser.call(reauthentication.verifyReauthenticationFactor, { kind: 'totp', code: code() }),
    ).toMatchObject(REFUSED);
  });

  test('may use an emailed code as the second, and needs no second one after a passkey', async () => {
    const { browser, email } = await newPerson();
    const passkey = await browser.addPasskey();
    const emails = () => smtp.emails.filter(({ to, raw }) => to.includes(email) && /^Subject: .* code\r?$/m.test(raw));
    const readCode = async (count: number): Promise<string> => {
      await expect.poll(() => emails().length).toBe(count);
      const { raw } = emails().at(-1)!;
      return /\b(\d{6})\b/.exec(raw.slice(raw.indexOf('\r\n\r\n')))![1]!;
    };
    await browser.call(factors.startCodeFactor, { kind: 'email', locale: 'en' });
    await browser.call(factors.confirmFactor, { kind: 'email', code: await readCode(2) });
    skippedMs += 11 * MINUTE;
    expect(
      await browser.call(reauthentication.sendReauthenticationFactorCode, { kind: 'email', locale: 'en' }),
    ).toMatchObject(REFUSED);
    await browser.prove();
    await browser.call(reauthentication.sendReauthenticationFactorCode, { kind: 'email', locale: 'en' });
    const given = await browser.call(reauthentication.verifyReauthenticationFactor, {
      kind: 'email',
      code: await readCode(3),
    });
    expect(given).toMatchObject({ status: 200 });
    expect(await browser.call(passkeys.startPasskey, {})).toMatchObject({ status: 200 });

    skippedMs += 11 * MINUTE;
    expect(await browser.proveBy(passkey)).toMatchObject({ status: 200 });
    expect(await browser.call(passkeys.startPasskey, {})).toMatchObject({ status: 200 });
  });
});
