/** Deletion of an account with concurrent messages, heartbeats and crashes. */
import * as opaque from '@serenity-kit/opaque';
import * as accounts from '@dostar/protocol/contract/accounts';
import { updateUser } from '@dostar/protocol/contract/users';
import type { AccountId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { finishRemovals, purgeIncompleteAccounts } from '../src/features/identity/use-cases/account-jobs.ts';
import { isIncompleteAccount } from '../src/features/identity/accounts/service.ts';
import { removeAccount, removeIncompleteAccount } from '../src/features/identity/use-cases/remove-account.ts';
import { putPendingRemoval } from '../src/features/identity/use-cases/removal-store.ts';
import { Presence, recordPresence } from '../src/features/messaging/presence/service.ts';
import { findAccountByUsername } from '../src/features/identity/usernames/service.ts';
import { newEmail, readCode, TestBrowser } from './browser.ts';
import { limitDeletions, MANY } from './limit-deletions.ts';
import { startSmtpPeer } from './smtp-peer.ts';
import type { SmtpPeer } from './smtp-peer.ts';
import { waitForLockWaiters } from './wait-for-lock-waiters.ts';
import { startTestCluster } from './test-cluster.ts';
import type { Person, TestCluster } from './test-cluster.ts';

const blob = Buffer.from('sealed');

let smtp: SmtpPeer;
let cluster: TestCluster;
let skippedMs = 0;
beforeAll(async () => {
  await opaque.ready;
  smtp = await startSmtpPeer();
  cluster = await startTestCluster({
    postgresUrl: inject('postgresUrl'),
    natsUrl: inject('natsUrl'),
    overrides: { clock: { now: () => Date.now() + skippedMs } },
    env: { SMTP_URL: smtp.url },
  });
  for (const shard of cluster.ctx.shards.all()) await limitDeletions(shard, ['log', 'backup_key']);
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await smtp[Symbol.asyncDispose]();
});

const openBrowser = (): TestBrowser => new TestBrowser(cluster.url, smtp);

async function countRows(table: 'log' | 'presence' | 'backup_key', { account }: Person): Promise<number> {
  const { rows } = await cluster.ctx.shards
    .of(account)
    .query((db) =>
      sql<{ n: number }>`select count(*) as n from ${sql.table(table)} where owner = ${account}`.execute(db),
    );
  return rows[0]!.n;
}

/** Begins to delete an account, runs `meanwhile` until it ends or waits for a lock, and then lets both finish. */
async function duringRemoval<T>({ account }: Person, meanwhile: () => Promise<T>): Promise<T> {
  const shard = cluster.ctx.shards.of(account);
  // Locks one of the last tables from which the deletion removes rows.
  await shard.query((db) => db.insertInto('vault').values({ owner: account, kind: 'test', rev: 1, blob }).execute());
  const begun = await shard.transact(async (holder) => {
    await sql`select from vault where owner = ${account} for update`.execute(holder);
    const removal = removeAccount(cluster.ctx, account);
    await waitForLockWaiters(shard, 1);
    const other = meanwhile();
    await Promise.race([other, waitForLockWaiters(shard, 2)]);
    return { removal, other };
  });
  await begun.removal;
  return begun.other;
}

test('a message that arrives while its account is being deleted is deleted too', async () => {
  const [alice, bob] = await cluster.addFriends([1, 0]);
  await cluster.send(alice, bob, 'before');
  const answer = await duringRemoval(bob, () => cluster.send(alice, bob, 'meanwhile'));
  expect(answer).toMatchObject({ body: { error: 'unknown_account' } });
  expect(await countRows('log', bob)).toBe(0);
});

test('a heartbeat that is written after the end of its account leaves nothing', async () => {
  const [bob, carol] = [await cluster.addAccount(0), await cluster.addAccount(0)];
  await using presence = new Presence(cluster.ctx);
  presence.touch(bob.account);
  presence.touch(carol.account);
  await removeAccount(cluster.ctx, bob.account);
  await presence.flush();
  expect(await countRows('presence', bob)).toBe(0);
  expect(await countRows('presence', carol)).toBe(1);
});

test('a heartbeat that is written while its account is being deleted leaves nothing', async () => {
  const bob = await cluster.addAccount(0);
  await recordPresence(cluster.ctx, bob.account);
  await duringRemoval(bob, () => recordPresence(cluster.ctx, bob.account));
  expect(await countRows('presence', bob)).toBe(0);
});

test('a heartbeat is not written to a shard from which its account is moving', async () => {
  const bob = await cluster.addAccount(0);
  const shard = cluster.ctx.shards.of(bob.account);
  await shard.query((db) => db.updateTable('mailbox').set({ frozen: true }).where('owner', '=', bob.account).execute());
  await recordPresence(cluster.ctx, bob.account);
  expect(await countRows('presence', bob)).toBe(0);
});

test('an account of many messages and many keys can be deleted', async () => {
  const bob = await cluster.addAccount(0);
  const { account } = bob;
  await cluster.ctx.shards.of(account).query(async (db) => {
    await sql`
      insert into log (owner, seq, sender, message_id, chat, at, to_device)
      select ${account}, n, ${account}, gen_random_uuid(), ${account}, 1, 0 from generate_series(1, ${sql.lit(MANY)}) n`.execute(
      db,
    );
    await sql`
      insert into backup_key (owner, version, room, session, first_index, forwarded, verified, entry)
      select ${account}, 1, ${account}, n, 0, 0, true, '{}' from generate_series(1, ${sql.lit(MANY)}) n`.execute(db);
  });
  await removeAccount(cluster.ctx, account);
  expect(await countRows('log', bob)).toBe(0);
  expect(await countRows('backup_key', bob)).toBe(0);
});

/** Makes each `statement` on the table fail until the returned function is called. */
async function breakDirectory(statement: string, table: string, when = sql``): Promise<() => Promise<unknown>> {
  const { directory } = cluster.ctx;
  const fail = sql`create or replace function fail() returns trigger language plpgsql as $$ begin raise 'broken'; end $$`;
  await fail.execute(directory);
  await sql`
    create trigger fail before ${sql.raw(statement)} on ${sql.table(table)} for each row ${when}
    execute function fail()`.execute(directory);
  return () => sql`drop trigger fail on ${sql.table(table)}`.execute(directory);
}

const of = (account: string) => sql`when (old.account = ${sql.lit(account)})`;

/** An account whose rows are deleted on its shard and not yet in the directory. */
async function addInterrupted() {
  const [browser, email] = [openBrowser(), newEmail()];
  const { $id: userId, username } = (await browser.signUp(email)).body;
  const heal = await breakDirectory('update', 'username');
  expect(await browser.call(accounts.deleteUser, { userId })).toMatchObject({ status: 500 });
  await heal();
  return { browser, email, userId, username };
}

test('an interrupted deletion is completed, its owner is notified, and the address is free', async () => {
  const { browser, email, userId, username } = await addInterrupted();
  const listSubjects = () =>
    smtp.emails.filter(({ to }) => to.includes(email)).map(({ raw }) => /^Subject: (.*?)\r$/m.exec(raw)?.[1]);
  await expect.poll(listSubjects).toContain('Your Dostar account was deleted');
  expect(await browser.call(accounts.deleteUser, { userId })).toMatchObject({ status: 401 });
  // The process that began the deletion may still be running.
  await finishRemovals(cluster.ctx);
  expect(await openBrowser().beginSignUp(email)).toMatchObject({ body: { error: 'email_taken' } });

  skippedMs += 61_000;
  await finishRemovals(cluster.ctx);
  smtp.emails.length = 0;
  expect(await openBrowser().signUp(email)).toMatchObject({ status: 200, body: { email } });
  expect(listSubjects()).not.toContain('Your Dostar account was deleted');
  expect(await findAccountByUsername(cluster.ctx, username)).toBeUndefined();
  expect(await cluster.ctx.directory.selectFrom('departing').select('account').execute()).toEqual([]);
});

test('a deletion that fails again does not delay others', async () => {
  const [stuck, other] = [await addInterrupted(), await addInterrupted()];
  const heal = await breakDirectory('delete', 'email', of(stuck.userId));
  skippedMs += 61_000;
  await finishRemovals(cluster.ctx);
  await heal();
  expect(await openBrowser().beginSignUp(stuck.email)).toMatchObject({ body: { error: 'email_taken' } });
  expect(await openBrowser().beginSignUp(other.email)).toMatchObject({ status: 200 });
});

/** A user with a session who has not finished the sign-up. */
async function addHalfMade() {
  const [browser, email] = [openBrowser(), newEmail()];
  await browser.beginSignUp(email);
  await browser.call(accounts.verifyCode, { email, code: await readCode(smtp, email) });
  const account = (await browser.call(accounts.createAccount, {})).body.userId as AccountId;
  const complete = () => browser.call(updateUser, { documentId: account, data: {} });
  return { account, email, complete };
}

test('an account that is completed after the sweep has listed it is kept', async () => {
  const { account, email, complete } = await addHalfMade();
  expect(await complete()).toMatchObject({ status: 200 });
  await removeIncompleteAccount(cluster.ctx, account);
  expect(await openBrowser().signIn(email)).toMatchObject({ status: 200 });
});

test('an account whose removal has begun cannot be completed', async () => {
  const { account, complete } = await addHalfMade();
  await putPendingRemoval(cluster.ctx.directory, account, 0);
  expect(await complete()).toMatchObject({ body: { error: 'no_sign_up' } });
  expect(await isIncompleteAccount(cluster.ctx, account)).toBe(true);
});

test('of a concurrent last sign-up step and removal only one takes effect', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { account, email, complete } = await addHalfMade();
    const [answer] = await Promise.all([complete(), removeIncompleteAccount(cluster.ctx, account)]);
    const status = answer.status === 200 ? 200 : 404;
    expect(await openBrowser().signIn(email)).toMatchObject({ status });
  }
});

test('an incomplete account that cannot be deleted does not delay others', async () => {
  const made: string[] = [];
  for (let count = 0; count < 2; count += 1) {
    made.push((await addHalfMade()).account);
    skippedMs += 1_000;
  }
  const heal = await breakDirectory('delete', 'email', of(made[0]!));
  skippedMs += accounts.SIGN_UP_LIFETIME_MS + 1_000;
  await purgeIncompleteAccounts(cluster.ctx);
  await heal();
  const left = await cluster.ctx.directory.selectFrom('email').select('account').where('account', 'in', made).execute();
  expect(left).toEqual([{ account: made[0] }]);
});
