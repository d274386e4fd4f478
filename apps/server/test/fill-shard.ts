/** Fills a shard with SQL, with as many rows as a test of query plans needs. */
import type { AccountId, ChatId, DeviceId, MessageId } from '@dostar/protocol/ids';
import { deliveredKey, readKey } from '@dostar/protocol/mailbox';
import type { Client } from 'pg';

const TABLES = [
  'contact',
  'device',
  'device_key',
  'device_list_change',
  'fallback_key',
  'log',
  'mailbox',
  'one_time_key',
  'owed',
  'privacy',
  'push_due',
  'push_target',
  'register',
  'session',
  'to_device',
  'to_device_txn',
].join(', ');

export const PEERS = 20;
export const ENTRIES = 12_000;
export const EVENTS = 3_000;

export const OWNER = '0f000000-0000-4000-8000-00000000f000' as AccountId;
export const STRANGER = '0e000000-0000-4000-8000-00000000e000' as AccountId;
export const DEVICE = '0d000000-0000-4000-8000-00000000d000' as DeviceId;

export const peerOf = (n: number) => `0a000000-0000-4000-8000-${String(n).padStart(12, '0')}` as AccountId;
export const chatOf = (n: number) => `0c000000-0000-8000-8000-${String(n).padStart(12, '0')}` as ChatId;
export const idOf = (seq: number) => `0b000000-0000-4000-8000-${String(seq).padStart(12, '0')}` as MessageId;

/** Afterwards statistics change only when a test runs `vacuum analyze`. */
export async function stopAutovacuum(client: Client): Promise<void> {
  for (const table of TABLES.split(', ')) await client.query(`alter table ${table} set (autovacuum_enabled = false)`);
}

/** Truncated tables have the statistics of tables that were never vacuumed. */
export async function emptyShard(client: Client): Promise<void> {
  await client.query(`truncate ${TABLES}`);
}

/** Adds other accounts with this number of entries each. */
export async function addOthers(client: Client, accounts: number, entries: number): Promise<void> {
  await client.query(
    `with other as (select gen_random_uuid() as owner from generate_series(1, $1::int)), known as (
      insert into mailbox (owner, last_seq) select owner, $2::int from other
    ), used as (
      insert into device (owner, id, created_at) select owner, gen_random_uuid(), 0 from other
    ), signed as (
      insert into device_key (owner, device, keys) select owner, gen_random_uuid()::text, '{}' from other
    ), befriended as (
      insert into contact (owner, peer, state) select owner, gen_random_uuid(), 'accepted' from other
    ), offered as (
      insert into one_time_key (owner, device, algorithm, name, seq, key)
      select owner, gen_random_uuid(), 'signed_curve25519', 'A', 1, '{}' from other
    ), told as (
      insert into to_device (owner, device, seq, sender, event)
      select owner, gen_random_uuid(), 1, gen_random_uuid(), '{}' from other
    ), marked as (
      insert into register (owner, key, rev, mark) select owner, 'read/' || owner, 1, 1 from other
    )
    insert into log (owner, seq, sender, message_id, chat, at, to_device, body)
    select owner, seq, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), seq, 0, 'x'
    from other, generate_series(1, $2::int) seq`,
    [accounts, entries],
  );
}

/** `peerOf`, `idOf` and `chatOf` as SQL expressions. */
const uuid = (prefix: string, kind: string, n: string): string =>
  `('${prefix}000000-0000-${kind}-8000-' || lpad((${n})::text, 12, '0'))::uuid`;

/** One account with years of messages from twenty people, of which the last twentieth is unread. */
export async function addOwner(client: Client): Promise<void> {
  const peer = uuid('0a', '4000', 'n');
  await client.query(`insert into mailbox (owner, last_seq, acked_seq, told_seq, to_device)
    values ('${OWNER}', ${ENTRIES}, ${ENTRIES}, ${ENTRIES - 100}, ${EVENTS}), ('${STRANGER}', 0, 0, 0, 0)`);
  await client.query(`insert into mailbox (owner) select ${peer} from generate_series(1, ${PEERS}) n`);
  await client.query(`insert into contact (owner, peer, state)
    select '${OWNER}', ${peer}, 'accepted' from generate_series(1, ${PEERS}) n
    union all select ${peer}, '${OWNER}', 'accepted' from generate_series(1, ${PEERS}) n`);
  await client.query(`insert into log (owner, seq, sender, message_id, chat, at, to_device, rings, body)
    select '${OWNER}', seq,
      case when seq = ${ENTRIES} then '${STRANGER}' when seq / ${PEERS} % 2 = 0 then '${OWNER}' else ${uuid('0a', '4000', `1 + seq % ${PEERS}`)} end,
      ${uuid('0b', '4000', 'seq')}, ${uuid('0c', '8000', `1 + seq % ${PEERS}`)}, seq, 0, true, decode(repeat('00', 100), 'hex')
    from generate_series(1, ${ENTRIES}) seq`);
  await client.query(
    `insert into register (owner, key, rev, mark) select $1, key, n, ${ENTRIES} * 0.95 from unnest($2::text[]) with ordinality as k (key, n)`,
    [OWNER, Array.from({ length: PEERS }, (_, n) => readKey(chatOf(n + 1), OWNER))],
  );
  await client.query(
    `insert into register (owner, key, rev, mark) select $1, key, ${PEERS} + n, n from unnest($2::text[]) with ordinality as k (key, n)`,
    [OWNER, Array.from({ length: 3_000 }, (_, n) => deliveredKey(chatOf(n + 1), peerOf(n + 1)))],
  );
  await client.query(`insert into device (owner, id, created_at) values ('${OWNER}', '${DEVICE}', 0)`);
  await client.query(`insert into device_key (owner, device, keys) values ('${OWNER}', '${DEVICE}', '{}')`);
  await client.query(`insert into to_device (owner, device, seq, sender, event)
    select '${OWNER}', '${DEVICE}', n, ${uuid('0a', '4000', `1 + n % ${PEERS}`)}, '{}' from generate_series(1, ${EVENTS}) n`);
  await client.query(`insert into one_time_key (owner, device, algorithm, name, seq, key, claimed_at)
    select '${OWNER}', '${DEVICE}', 'signed_curve25519', n::text, n, '{}', case when n <= 2000 then 1 end from generate_series(1, 2050) n`);
  await client.query(`insert into device_list_change (owner, account, seq, kind)
    select '${OWNER}', gen_random_uuid(), n, 'changed' from generate_series(1, ${EVENTS}) n`);
}
