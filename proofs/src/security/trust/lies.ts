/**
 * Changes that a malicious server makes to its own tables: identities are replaced, rows changed, removed and restored.
 */
import { randomBytes } from 'node:crypto';
import type { Owner, SealedBrowser } from '@dostar/client/testing/owners';
import type { AccountId, ChatId, MessageId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import { newMessageId } from '../../../../apps/server/test/test-cluster.ts';
import {
  announceDeviceList,
  bumpDeviceListRevision,
} from '../../../../apps/server/src/features/encryption/device-lists/service.ts';
import type { CheckRun } from '../../harness/checks/check-run.ts';

/** All tables with keys of an account. */
const KEY_TABLES = [
  'device_key',
  'former_device',
  'dehydrated_device',
  'one_time_key',
  'fallback_key',
  'identity_key',
  'person_signature',
  'vault',
  'backup_version',
  'backup_key',
] as const;

type Rows = Map<string, string>;

/**
 * Replaces a person's account key, identity and device. Close the person's own browsers first, since they would report
 * it.
 */
export async function swapIdentity(checkRun: CheckRun, { person }: Owner): Promise<SealedBrowser> {
  await takeKeys(checkRun, person.account);
  return checkRun.signIn({ person, accountKey: new Uint8Array(randomBytes(32)) });
}

/** Deletes the account's keys and returns the rows. */
export async function takeKeys(checkRun: CheckRun, account: AccountId): Promise<Rows> {
  const rows: Rows = new Map();
  await checkRun.touch(account, async (db) => {
    for (const table of KEY_TABLES) {
      const found = await sql<{ rows: string }>`
        with gone as (delete from ${sql.table(table)} where owner = ${account} returning *)
        select coalesce(json_agg(gone), '[]')::text as rows from gone`.execute(db);
      rows.set(table, found.rows[0]?.rows ?? '[]');
    }
  });
  return rows;
}

export async function putKeysBack(checkRun: CheckRun, account: AccountId, rows: Rows): Promise<void> {
  await takeKeys(checkRun, account);
  await checkRun.touch(account, async (db) => {
    for (const [table, values] of rows) {
      await sql`
        insert into ${sql.table(table)}
        select * from json_populate_recordset(null::${sql.table(table)}, ${values}::json)`.execute(db);
    }
  });
  await tellDevices(checkRun, account);
}

/** Makes all clients that know the account query its devices again. */
async function tellDevices(checkRun: CheckRun, account: AccountId): Promise<void> {
  const { ctx } = checkRun.environment;
  const raised = await ctx.shards.of(account).write(account, (db) => bumpDeviceListRevision(ctx, db, account));
  announceDeviceList(ctx, account, raised);
}

export interface VaultRow {
  rev: number;
  blob: Buffer;
}

/** The account's trust list, encrypted. */
export async function readTrust(checkRun: CheckRun, account: AccountId): Promise<VaultRow | undefined> {
  return checkRun.touch(account, async (db) => {
    const found = await sql<VaultRow>`
      select rev, blob from vault where owner = ${account} and kind = 'trust'`.execute(db);
    return found.rows[0];
  });
}

export async function writeTrust(checkRun: CheckRun, account: AccountId, row: VaultRow | undefined): Promise<void> {
  await checkRun.touch(account, async (db) => {
    await sql`delete from vault where owner = ${account} and kind = 'trust'`.execute(db);
    if (row === undefined) return;
    await sql`
      insert into vault (owner, kind, rev, blob) values (${account}, 'trust', ${row.rev}, ${row.blob})`.execute(db);
  });
}

interface Said {
  chat: ChatId;
  sender: AccountId;
  id: MessageId;
}

/** Deletes the body of a message and adds a log entry that says that `by` erased it. */
export async function erase(
  checkRun: CheckRun,
  owner: AccountId,
  { chat, sender, id }: Said,
  by: AccountId,
): Promise<void> {
  await checkRun.touch(owner, async (db) => {
    await sql`
      update log set body = null where owner = ${owner} and sender = ${sender} and message_id = ${id}`.execute(db);
    await sql`
      with next as (update mailbox set last_seq = last_seq + 1 where owner = ${owner} returning last_seq)
      insert into log (owner, seq, sender, message_id, chat, at, to_device, erases_sender, erases_id)
      select ${owner}, last_seq, ${by}, ${newMessageId()}, ${chat}, ${Date.now()}, 0, ${sender}, ${id} from next`.execute(
      db,
    );
  });
}

/** Delivers a message again as part of another chat. */
export async function moveToChat(
  checkRun: CheckRun,
  owner: AccountId,
  { sender, id }: Said,
  chat: ChatId,
): Promise<void> {
  await checkRun.touch(owner, (db) =>
    sql`
      with next as (update mailbox set last_seq = last_seq + 1 where owner = ${owner} returning last_seq)
      update log set chat = ${chat}, seq = next.last_seq from next
      where log.owner = ${owner} and sender = ${sender} and message_id = ${id}`.execute(db),
  );
}
