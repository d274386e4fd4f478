/** The counters of the landing page, as a visitor reads them. */
import * as accounts from '@dostar/protocol/contract/accounts';
import { getStats } from '@dostar/protocol/contract/stats';
import * as opaque from '@serenity-kit/opaque';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { purgeIncompleteAccounts } from '../src/features/identity/use-cases/account-jobs.ts';
import { flushStats, reconcileStats } from '../src/features/operations/public-stats/service.ts';
import { newEmail, TestBrowser } from './browser.ts';
import { addPerson, verifyEmail } from './appwrite-people.ts';
import { startSmtpPeer } from './smtp-peer.ts';
import type { SmtpPeer } from './smtp-peer.ts';
import { callServer, newMessageId, startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

interface Counters {
  users: number;
  messages: number;
  verified: number;
}

let skippedMs = 0;
let smtp: SmtpPeer;
let cluster: TestCluster;
beforeAll(async () => {
  await opaque.ready;
  smtp = await startSmtpPeer();
  cluster = await startTestCluster({
    postgresUrl: inject('postgresUrl'),
    natsUrl: inject('natsUrl'),
    servers: 2,
    overrides: { clock: { now: () => Date.now() + skippedMs } },
    env: { SMTP_URL: smtp.url },
  });
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await smtp[Symbol.asyncDispose]();
});

/** Reads the counters after the process's cached numbers have expired. */
async function read(server = 0): Promise<Counters> {
  for (const { ctx } of cluster.servers) await flushStats(ctx);
  skippedMs += 10_000;
  return (await callServer(cluster.servers[server]!.url, getStats, undefined)).body as Counters;
}

let before: Counters;
beforeEach(async () => {
  before = await read();
});

async function readChange(server = 0): Promise<Counters> {
  const now = await read(server);
  return {
    users: now.users - before.users,
    messages: now.messages - before.messages,
    verified: now.verified - before.verified,
  };
}

test('a visitor of an empty installation sees zeros', () => {
  expect(before).toEqual({ users: 0, messages: 0, verified: 0 });
});

test('a sign-up by email counts as a verified user once, from its last step to the removal', async () => {
  const browser = new TestBrowser(cluster.url, smtp);
  const email = newEmail();
  await browser.beginSignUp(email);
  expect(await readChange()).toEqual({ users: 0, messages: 0, verified: 0 });

  const other = new TestBrowser(cluster.url, smtp);
  const { body: document } = await other.signUp(newEmail());
  await other.complete();
  expect(await readChange()).toEqual({ users: 1, messages: 0, verified: 1 });
  expect(await readChange(1)).toEqual({ users: 1, messages: 0, verified: 1 });

  expect(await other.call(accounts.deleteUser, { userId: document.$id })).toMatchObject({ status: 200 });
  expect(await readChange()).toEqual({ users: 0, messages: 0, verified: 0 });
});

test('an abandoned sign-up is never counted', async () => {
  const browser = new TestBrowser(cluster.url, smtp);
  const email = newEmail();
  await browser.beginSignUp(email);
  await cluster.ctx.directory
    .updateTable('sign_up')
    .set({ verified_at: Date.now() })
    .where('email', '=', email)
    .execute();
  const { userId } = (await browser.call(accounts.createAccount, {})).body;
  expect(await browser.call(accounts.verifyUser, { userId })).toMatchObject({ status: 200 });
  expect(await readChange()).toEqual({ users: 0, messages: 0, verified: 0 });
  skippedMs += 3_600_000;
  await purgeIncompleteAccounts(cluster.ctx);
  expect(await readChange()).toEqual({ users: 0, messages: 0, verified: 0 });
});

test('an account of /v1 counts as a user, and as verified once its address is', async () => {
  const person = await addPerson(cluster.url);
  expect(await readChange()).toEqual({ users: 1, messages: 0, verified: 0 });
  await verifyEmail(smtp, person);
  expect(await readChange()).toEqual({ users: 1, messages: 0, verified: 1 });
});

test('messages of all processes are summed, and a repeated one counts once', async () => {
  const [alice, bob] = await cluster.addFriends();
  const id = newMessageId();
  await cluster.send(alice, bob, 'hello', id);
  await cluster.send(alice, bob, 'hello', id);
  await cluster.send(bob, alice, 'hello back');
  expect(await readChange(1)).toEqual({ users: 0, messages: 2, verified: 0 });
});

test('the worker corrects counters that differ from the accounts, also if it runs twice', async () => {
  await new TestBrowser(cluster.url, smtp).signUp(newEmail());
  const one = sql`slot = (select min(slot) from stats)`;
  await sql`update stats set users = users + 40, verified = verified - 1000 where ${one}`.execute(
    cluster.ctx.directory,
  );
  const off = await read();
  expect(off).toMatchObject({ users: before.users + 41, verified: 0 });
  await Promise.all(cluster.servers.map(({ ctx }) => reconcileStats(ctx)));
  expect(await readChange()).toEqual({ users: 1, messages: 0, verified: 1 });
  await reconcileStats(cluster.ctx);
  expect(await readChange()).toEqual({ users: 1, messages: 0, verified: 1 });
});

test('many visitors cost one query, and numbers are updated after ten seconds', async () => {
  const [alice, bob] = await cluster.addFriends();
  await cluster.send(alice, bob, 'hello');
  await flushStats(cluster.ctx);
  const crowd = await Promise.all(Array.from({ length: 50 }, () => cluster.call(getStats, undefined)));
  expect(new Set(crowd.map(({ body }) => JSON.stringify(body)))).toEqual(new Set([JSON.stringify(before)]));
  expect(await readChange()).toMatchObject({ messages: 1 });
});
