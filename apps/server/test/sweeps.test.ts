/** Expired data is deleted, however much there is and whatever else fails. */
import * as contract from '@dostar/protocol/contract/key-backup';
import { RECOVERY_RETENTION_MS } from '@dostar/protocol/contract/account-unlock';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { purgeClaimedKeys } from '../src/features/encryption/device-keys/jobs.ts';
import { purgeRecoveryData } from '../src/features/identity/use-cases/recovery-jobs.ts';
import { purgeTransactions } from '../src/features/encryption/to-device/jobs.ts';
import { limitDeletions, MANY } from './limit-deletions.ts';
import { waitForLockWaiters } from './wait-for-lock-waiters.ts';
import { startTestCluster } from './test-cluster.ts';
import type { SignedIn, TestCluster } from './test-cluster.ts';

const RECIPE = { algorithm: 'm.megolm_backup.v1.curve25519-aes-sha2', auth_data: { public_key: 'abc' } };
const TABLES = [
  'backup_key',
  'backup_key_replaced',
  'one_time_key',
  'to_device_txn',
  'vault_archive',
  'vault_revision',
  'key_wrap',
] as const;

let cluster: TestCluster;
let skippedMs = 0;
beforeAll(async () => {
  const clock = { now: () => Date.now() + skippedMs };
  cluster = await startTestCluster({
    postgresUrl: inject('postgresUrl'),
    natsUrl: inject('natsUrl'),
    overrides: { clock },
  });
  for (const shard of cluster.ctx.shards.all()) await limitDeletions(shard, TABLES);
});
afterAll(() => cluster[Symbol.asyncDispose]());
beforeEach(() => {
  skippedMs = 0;
});

async function countRows(table: (typeof TABLES)[number], { account }: SignedIn): Promise<number> {
  const { rows } = await cluster.ctx.shards
    .of(account)
    .query((db) =>
      sql<{ n: number }>`select count(*) as n from ${sql.table(table)} where owner = ${account}`.execute(db),
    );
  return rows[0]!.n;
}

function fill({ account }: SignedIn, statement: (owner: string, n: RawBuilder<unknown>) => RawBuilder<unknown>) {
  const n = sql`generate_series(1, ${sql.lit(MANY)}) n`;
  return cluster.ctx.shards.of(account).query((db) => statement(account, n).execute(db));
}

/** An archived backup with as many keys as a user has after many years. */
async function addArchivedBackup(shard: number): Promise<SignedIn> {
  const person = await cluster.addAccount(shard);
  await cluster.call(contract.createBackup, person, RECIPE);
  await fill(
    person,
    (owner, n) => sql`
      insert into backup_key (owner, version, room, session, first_index, forwarded, verified, entry)
      select ${owner}, 1, gen_random_uuid(), n, 0, 0, true, '{}' from ${n}`,
  );
  await cluster.ctx.shards.of(person.account).query((db) =>
    db
      .updateTable('backup_version')
      .set({ until: Date.now() + RECOVERY_RETENTION_MS, count: MANY })
      .where('owner', '=', person.account)
      .execute(),
  );
  return person;
}

test('a backup of many keys is deleted when it expires, and so are the ones after it', async () => {
  const [alice, bob] = [await addArchivedBackup(0), await addArchivedBackup(1)];
  await purgeRecoveryData(cluster.ctx);
  expect(await countRows('backup_key', alice)).toBe(MANY);
  skippedMs = RECOVERY_RETENTION_MS + 1_000;
  await purgeRecoveryData(cluster.ctx);
  expect(await countRows('backup_key', alice)).toBe(0);
  expect(await countRows('backup_key', bob)).toBe(0);
});

test('a backup of many keys that its owner deletes can be read for 30 days and is gone afterwards', async () => {
  const alice = await addArchivedBackup(0);
  expect(await cluster.call(contract.deleteBackup, alice, { version: '1' })).toMatchObject({ status: 200 });
  await purgeRecoveryData(cluster.ctx);
  expect(await cluster.call(contract.getBackup, alice, { version: '1' })).toMatchObject({ body: { count: MANY } });
  skippedMs = RECOVERY_RETENTION_MS + 1_000;
  await purgeRecoveryData(cluster.ctx);
  expect(await cluster.call(contract.getBackup, alice, { version: '1' })).toMatchObject({ status: 404 });
  expect(await countRows('backup_key', alice)).toBe(0);
});

test('an account whose backup cannot be deleted does not delay other accounts or shards', async () => {
  const [stuck, beside, elsewhere] = [
    await addArchivedBackup(0),
    await addArchivedBackup(0),
    await addArchivedBackup(1),
  ];
  const shard = cluster.ctx.shards.of(stuck.account);
  await shard.query(async (db) => {
    await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'stuck'; end $$`.execute(
      db,
    );
    await sql`
      create trigger refuse before delete on backup_key for each row when (old.owner = ${sql.lit(stuck.account)})
      execute function refuse()`.execute(db);
  });
  skippedMs = RECOVERY_RETENTION_MS + 1_000;
  await purgeRecoveryData(cluster.ctx);
  expect(await countRows('backup_key', stuck)).toBe(MANY);
  expect(await countRows('backup_key', beside)).toBe(0);
  expect(await countRows('backup_key', elsewhere)).toBe(0);

  await shard.query((db) => sql`drop trigger refuse on backup_key`.execute(db));
  await purgeRecoveryData(cluster.ctx);
  expect(await countRows('backup_key', stuck)).toBe(0);
});

test('archived recovery data of many accounts is deleted when it expires', async () => {
  const alice = await cluster.addAccount(0);
  await fill(
    alice,
    (owner, n) => sql`
      insert into vault_archive (owner, kind, rev, blob, until) select ${owner}, n, 1, '', 1 from ${n}`,
  );
  await fill(
    alice,
    (owner, n) => sql`
      insert into key_wrap (owner, id, method, state, params, blob, created_at, until)
      select ${owner}, gen_random_uuid(), 'passkey', 'archived', '', '', 1, 1 from ${n}`,
  );
  await fill(
    alice,
    (owner, n) => sql`
      insert into vault_revision (owner, kind, rev, blob, replaced_at, until)
      select ${owner}, 'secrets', n, '', 1, 1 from ${n}`,
  );
  await fill(
    alice,
    (owner, n) => sql`
      insert into backup_key_replaced (owner, version, room, session, n, entry, until)
      select ${owner}, 1, gen_random_uuid(), n, 1, '', 1 from ${n}`,
  );
  await purgeRecoveryData(cluster.ctx);
  expect(await countRows('vault_archive', alice)).toBe(0);
  expect(await countRows('key_wrap', alice)).toBe(0);
  expect(await countRows('vault_revision', alice)).toBe(0);
  expect(await countRows('backup_key_replaced', alice)).toBe(0);
});

test('ids of sends and claimed keys are deleted also if there are many', async () => {
  const alice = await cluster.addAccount(0);
  await fill(
    alice,
    (owner, n) => sql`
      insert into to_device_txn (owner, sender, device, txn, at) select ${owner}, ${owner}, 'D', n, 1 from ${n}`,
  );
  await fill(
    alice,
    (owner, n) => sql`
      insert into one_time_key (owner, device, algorithm, name, seq, key, claimed_at)
      select ${owner}, 'D', 'signed_curve25519', n, n, '', 1 from ${n}`,
  );
  await purgeTransactions(cluster.ctx);
  await purgeClaimedKeys(cluster.ctx);
  expect(await countRows('to_device_txn', alice)).toBe(0);
  expect(await countRows('one_time_key', alice)).toBe(0);
});

test('data whose expiry is extended during the sweep stays', async () => {
  const alice = await cluster.addAccount(0);
  const shard = cluster.ctx.shards.of(alice.account);
  const row = { owner: alice.account, kind: 'secrets', rev: 1, blob: Buffer.of(), until: 1 };
  await shard.query((db) => db.insertInto('vault_archive').values(row).execute());
  const sweeping = await shard.transact(async (holder) => {
    await holder
      .updateTable('vault_archive')
      .set({ until: 2 ** 50 })
      .where('owner', '=', alice.account)
      .execute();
    const begun = purgeRecoveryData(cluster.ctx);
    await waitForLockWaiters(shard, 1);
    return { begun };
  });
  await sweeping.begun;
  expect(await countRows('vault_archive', alice)).toBe(1);
});
