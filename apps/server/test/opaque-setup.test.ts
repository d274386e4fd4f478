/** OPAQUE_SETUP is replaced while users sign in: one of two processes knows the new setup already. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as opaque from '@serenity-kit/opaque';
import * as passwords from '@dostar/protocol/contract/passwords';
import * as recovery from '@dostar/protocol/contract/recovery';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createSetup, nameSetup } from '../src/platform/security/opaque.ts';
import { startServer } from '../src/server.ts';
import type { RunningServer } from '../src/server.ts';
import { runAdminCommand } from './run-admin-command.ts';
import { makeRecord, newEmail } from './browser.ts';
import { RecoveringBrowser, tokenIn } from './recovering-browser.ts';
import { makeSecretEnv } from './make-secrets.ts';
import { readSecrets } from '../src/secrets.ts';
import { startSmtpPeer } from './smtp-peer.ts';
import type { SmtpPeer } from './smtp-peer.ts';
import { startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

const WRAP = { method: 'password', params: 'test', blob: 'AAAA' } as const;
const stack = new AsyncDisposableStack();
let smtp: SmtpPeer;
let cluster: TestCluster;
/** A server that registers passwords with the new setup and checks those of the old one. */
let newer: RunningServer;
let setups: { old: string; fresh: string };
beforeAll(async () => {
  await opaque.ready;
  setups = { old: await createSetup(), fresh: await createSetup() };
  smtp = stack.use(await startSmtpPeer());
  const env = { ...(await makeSecretEnv()), OPAQUE_SETUP: setups.old, SMTP_URL: smtp.url };
  cluster = stack.use(await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl'), env }));
  const secrets = readSecrets({ ...env, OPAQUE_SETUP: `${setups.fresh}\n${setups.old}\n` });
  newer = stack.use(await startServer({ ...cluster.config, PORT: 0 }, secrets, quiet()));
});
afterAll(() => stack.disposeAsync());

const quiet = () => ({ overrides: { log: cluster.ctx.log } });

/** A user who signed up before the new setup was added. */
async function addPerson(): Promise<{ email: string; before: RecoveringBrowser; after: RecoveringBrowser }> {
  const email = newEmail();
  const before = new RecoveringBrowser(cluster.url, smtp);
  expect(await before.signUp(email)).toMatchObject({ status: 200 });
  const after = new RecoveringBrowser(newer.url, smtp);
  copySession(before, after);
  return { email, before, after };
}

function copySession(from: RecoveringBrowser, to: RecoveringBrowser): void {
  for (const cookie of from.cookies) to.cookies.set(...cookie);
}

async function countRecordsOf(setup: string): Promise<number> {
  const counts = cluster.ctx.shards.all().map((shard) =>
    shard.query(async (db) => {
      const { rows } = await sql<{ count: number }>`
        select count(*) from opaque_record where setup = ${nameSetup(setup)}`.execute(db);
      return rows[0]!.count;
    }),
  );
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

test('a password of the old setup signs in, and gets the new one when it is changed', async () => {
  const { email, after } = await addPerson();
  expect(await after.signIn(email)).toMatchObject({ status: 200 });
  expect(await after.signIn(email, 'a guess')).toMatchObject({ body: { error: 'refused by the browser' } });
  await after.prove();
  const changed = await makeRecord('battery staple', (request) =>
    after.call(passwords.startPasswordChange, { request }),
  );
  if (!('record' in changed)) throw new Error('no answer');
  const before = await countRecordsOf(setups.fresh);
  await after.call(passwords.finishPasswordChange, { ...changed, wrap: WRAP, endOthers: false });
  expect(await countRecordsOf(setups.fresh)).toBe(before + 1);
  expect(await after.signIn(email, 'battery staple')).toMatchObject({ status: 200 });
});

test('a password change that two processes handle uses the setup of the first one', async () => {
  const { email, before, after } = await addPerson();
  await before.prove();
  copySession(before, after);
  const changed = await makeRecord('battery staple', (request) =>
    before.call(passwords.startPasswordChange, { request }),
  );
  if (!('record' in changed)) throw new Error('no answer');
  const ended = await after.call(passwords.finishPasswordChange, { ...changed, wrap: WRAP, endOthers: false });
  expect(ended).toMatchObject({ status: 200 });
  for (const browser of [before, after])
    expect(await browser.signIn(email, 'battery staple')).toMatchObject({ status: 200 });
});

test('a setup that the process does not know is refused', async () => {
  const { before, after } = await addPerson();
  await after.prove();
  copySession(after, before);
  const changed = await makeRecord('battery staple', (request) =>
    after.call(passwords.startPasswordChange, { request }),
  );
  if (!('record' in changed)) throw new Error('no answer');
  const ended = await before.call(passwords.finishPasswordChange, { ...changed, wrap: WRAP, endOthers: false });
  expect(ended).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
});

test('after a reset the password of the old setup still unlocks', async () => {
  const { email, after } = await addPerson();
  await after.call(recovery.requestPasswordReset, { email, locale: 'en' });
  const reset = await after.resetPassword(await tokenIn(smtp, email), 'battery staple');
  expect(reset).toMatchObject({ status: 200 });
  expect(await after.signIn(email, 'battery staple')).toMatchObject({ status: 200 });
  expect(await after.proveOldPassword('correct horse')).toBeDefined();
});

test('rotate begins, uses and ends it, and does not end it while passwords need the old setup', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'setups-'));
  stack.defer(() => rm(folder, { recursive: true }));
  const path = join(folder, 'opaque-setup');
  await writeFile(path, `${setups.old}\n`, { mode: 0o640 });
  const env = { OPAQUE_SETUP_FILE: path };
  const rotate = (...words: string[]) => runAdminCommand(cluster.ctx, ['rotate', 'opaque-setup', ...words], { env });
  const lines = async () => (await readFile(path, 'utf8')).trim().split('\n');

  const id = /key ([\da-f]{8})/.exec((await rotate('begin')).out!)![1]!;
  const [, fresh = ''] = await lines();
  expect(await lines()).toEqual([setups.old, fresh]);
  expect((await rotate('finish', id)).err).toContain('is not in use yet');
  expect(await rotate('use', id)).toMatchObject({ code: 0 });
  expect(await lines()).toEqual([fresh, setups.old]);
  expect((await rotate('finish', id)).err).toContain('restart every process first');

  const secrets = readSecrets({ ...(await makeSecretEnv()), OPAQUE_SETUP: await readFile(path, 'utf8') });
  await using restarted = await startServer({ ...cluster.config, PORT: 0 }, secrets, quiet());
  const finish = (...more: string[]) =>
    runAdminCommand(restarted.ctx, ['rotate', 'opaque-setup', 'finish', id, ...more], { env });
  expect((await finish()).err).toMatch(/^[1-9]\d* passwords were set with an older key/);
  expect(await lines()).toEqual([fresh, setups.old]);
  expect(await finish('now')).toMatchObject({ code: 0 });
  expect(await lines()).toEqual([fresh]);
});
