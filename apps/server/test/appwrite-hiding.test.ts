/** With `AUTH_HIDE_ACCOUNTS` no call of `/v1` reveals to a stranger whether an address has an account. */
import * as opaque from '@serenity-kit/opaque';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newEmail, TestBrowser } from './browser.ts';
import { operatorOf, PASSWORD, readEmail, AppwriteClient, writeAppwriteFile } from './appwrite-people.ts';
import { startSmtpPeer } from './smtp-peer.ts';
import type { SmtpPeer } from './smtp-peer.ts';
import { ORIGIN, startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

let smtp: SmtpPeer;
let cluster: TestCluster;
beforeAll(async () => {
  await opaque.ready;
  smtp = await startSmtpPeer();
  const env = { SMTP_URL: smtp.url, APPWRITE_CONFIG_FILE: await writeAppwriteFile({}), AUTH_HIDE_ACCOUNTS: 'true' };
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl'), env });
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await smtp[Symbol.asyncDispose]();
});

const guest = (): AppwriteClient => new AppwriteClient(cluster.url);

async function addProductAddress(): Promise<string> {
  const email = newEmail();
  await new TestBrowser(cluster.url, smtp).signUp(email);
  return email;
}

/** Created with an API key: strangers can't sign up here. */
async function addAppwriteAddress(userId = 'unique()'): Promise<string> {
  const email = newEmail();
  const made = await operatorOf(cluster).call('POST', '/account', { userId, email, password: PASSWORD });
  expect(made).toMatchObject({ status: 201 });
  return email;
}

test('signing up answers the same for every address', async () => {
  const addresses = [await addProductAddress(), await addAppwriteAddress(), newEmail()];
  for (const email of addresses) {
    const asked = { userId: 'unique()', email, password: PASSWORD };
    expect(await guest().call('POST', '/account', asked)).toMatchObject({
      status: 501,
      body: { type: 'user_auth_method_unsupported' },
    });
  }
});

test('changing the address answers the same for every address', async () => {
  const own = await addAppwriteAddress();
  const person = await guest().signIn(own);
  for (const email of [await addProductAddress(), await addAppwriteAddress(), newEmail()]) {
    expect(await person.call('PATCH', '/account/email', { email, password: PASSWORD })).toMatchObject({
      status: 501,
      body: { type: 'user_auth_method_unsupported' },
    });
  }
  expect(await person.call('GET', '/account')).toMatchObject({ body: { email: own } });
});

test('asking for a recovery email answers the same for every address, and names no account', async () => {
  const chosen = 'alice.smith';
  const known = await addAppwriteAddress(chosen);
  const ask = (email: string) => guest().call('POST', '/account/recovery', { email, url: ORIGIN });
  for (const email of [known, await addProductAddress(), newEmail()]) {
    const { status, body } = await ask(email);
    expect(status).toBe(201);
    expect(body.userId).toMatch(/^6[0-9a-f]{19}$/);
    expect((await ask(email)).body.userId).toBe(body.userId);
  }
  const link = await readEmail(smtp, known);
  expect(link.searchParams.get('userId')).toBe(chosen);
  const brought = { userId: chosen, secret: link.searchParams.get('secret'), password: 'new one' };
  expect(await guest().call('PUT', '/account/recovery', brought)).toMatchObject({ status: 200 });
  await guest().signIn(known, 'new one');
});

test('exchanging a token answers the same for every id', async () => {
  await addAppwriteAddress('bob.smith');
  for (const userId of ['bob.smith', 'nobody']) {
    for (const path of ['/account/verification', '/account/recovery', '/account/sessions/token']) {
      const method = path === '/account/sessions/token' ? 'POST' : 'PUT';
      expect(await guest().call(method, path, { userId, secret: 'x', password: 'stolen' })).toMatchObject({
        status: 401,
        body: { type: 'user_invalid_token' },
      });
    }
  }
});
