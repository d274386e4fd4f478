/** Whether a sign-in with Google counts as re-authentication, with a real OpenID provider at the other end. */
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import * as opaque from '@serenity-kit/opaque';
import * as factors from '@dostar/protocol/contract/second-factors';
import * as passkeys from '@dostar/protocol/contract/passkeys';
import { freePort, startOpenId } from '@dostar/tools/servers';
import type { OpenId } from '@dostar/tools/servers';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { GoogleBrowser, newEmail } from './google-browser.ts';
import { makeApp } from './appwrite-people.ts';
import { startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

let provider: OpenId;
let cluster: TestCluster;

beforeAll(async () => {
  await opaque.ready;
  provider = await startOpenId({ dir: join(tmpdir(), `dostar-openid-fresh-${process.pid}`), port: await freePort() });
  const engines = { postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') };
  cluster = await startTestCluster({ ...engines, env: provider.env });
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

class Browser extends GoogleBrowser {
  constructor() {
    super(cluster.url);
  }
}

test('a sign-in by Google counts as re-authentication only if the provider says that it has just authenticated the person', async () => {
  const answers: unknown[] = [];
  for (const name of ['person', 'timeless', 'stale']) {
    const email = newEmail(name);
    await new Browser().signUp(email);
    const laptop = new Browser();
    expect(await laptop.google(email)).toBe('/google-register-success');
    answers.push((await laptop.call(passkeys.startPasskey, {})).body.error);
  }
  expect(answers).toEqual([undefined, 'reauthenticate', 'reauthenticate']);
});

test('a second factor after Google is not enough if the provider gives no time of authentication', async () => {
  const email = newEmail('timeless');
  const owner = new Browser();
  await owner.signUp(email);
  const { secret } = (await owner.call(factors.startTotp, {})).body;
  const code = makeApp(secret, Date.now);
  await owner.call(factors.confirmFactor, { kind: 'totp', code: code() });
  const laptop = new Browser();
  await laptop.google(email);
  expect(await laptop.call(factors.verifyFactor, { kind: 'totp', code: code() })).toMatchObject({ status: 200 });
  expect(await laptop.call(passkeys.startPasskey, {})).toMatchObject({ body: { error: 'reauthenticate' } });
});
