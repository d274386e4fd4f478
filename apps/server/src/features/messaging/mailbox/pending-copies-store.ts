/** SQL of pending copies: stored together with the original entry, deleted once the copy has been made. */
import type { AccountId, ChatId, MessageId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import type { CopyKey } from './store.ts';

export interface PendingCopy {
  owner: AccountId;
  seq: number;
  target: AccountId;
  sender: AccountId;
  id: MessageId;
  chat: ChatId;
  at: number;
  erasesSender: AccountId | null;
  erasesId: MessageId | null;
  body: Buffer | null;
}

const PENDING_COPIES_LOCK = 7038;

/** Holds the pending copies of a shard until the transaction ends. False if another worker holds them. */
export async function lockPendingCopies(db: ShardDb): Promise<boolean> {
  const { rows } = await sql<{ isHeld: boolean }>`
    select pg_try_advisory_xact_lock(${PENDING_COPIES_LOCK}) as "isHeld"`.execute(db);
  return rows[0]?.isHeld === true;
}

/** The oldest, leaving out those whose target lies in the buckets of `without`. */
export async function listPendingCopies(
  db: ShardDb,
  before: number,
  page: { without: number[]; limit: number },
): Promise<PendingCopy[]> {
  const rows = await db
    .selectFrom('owed as o')
    .innerJoin('log as l', (join) => join.onRef('l.owner', '=', 'o.owner').onRef('l.seq', '=', 'o.seq'))
    .select([
      'o.owner',
      'o.seq',
      'o.target',
      'l.sender',
      'l.message_id as id',
      'l.chat',
      'l.at',
      'l.erases_sender as erasesSender',
      'l.erases_id as erasesId',
      // The recipient may have erased theirs since then; the sender gets what was sent.
      (eb) => eb.fn.coalesce('l.body', 'o.body').as('body'),
    ])
    .where('o.since', '<', before)
    .where(sql<boolean>`bucket_of(o.target) <> all (${page.without}::smallint[])`)
    .orderBy('o.since')
    // Entries of the same moment in the order in which they were stored.
    .orderBy('o.owner')
    .orderBy('o.seq')
    .limit(page.limit)
    .execute();
  return rows as PendingCopy[];
}

export async function deletePendingCopies(db: ShardDb, made: CopyKey[]): Promise<void> {
  await sql`
    delete from owed o using unnest(${made.map((row) => row.owner)}::uuid[], ${made.map((row) => row.seq)}::bigint[]) as p (owner, seq)
    where o.owner = p.owner and o.seq = p.seq`.execute(db);
}

/** Hides the copy from `listPendingCopies` until then. */
export async function postponePendingCopy(db: ShardDb, { owner, seq }: CopyKey, until: number): Promise<void> {
  await db.updateTable('owed').set({ since: until }).where('owner', '=', owner).where('seq', '=', seq).execute();
}

/** The time of the newest entry of a shard; zero if it has none. */
export async function findLastReceivedAt(db: ShardDb): Promise<number> {
  const { rows } = await sql<{ at: number | null }>`
    select least(
      (select max(l.at) from mailbox m, lateral (select at from log where owner = m.owner order by seq desc limit 1) l),
      -- PostgreSQL answers this after a recovery, until it is restarted.
      (extract(epoch from pg_last_xact_replay_timestamp()) * 1000)::bigint
    ) as at`.execute(db);
  return rows[0]?.at ?? 0;
}

export async function listOwnersAfter(db: ShardDb, last: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('mailbox')
    .select('owner')
    .where('owner', '>', last)
    .orderBy('owner')
    .limit(limit)
    .execute();
  return rows.map((row) => row.owner);
}

/** A chat is made of two accounts (`directChat`), whose ids are random: with one of them it says the other. */
const MIXED = sql`(
  ('x' || replace(l.chat::text, '-', ''))::bit(128) # ('x' || replace(l.owner::text, '-', ''))::bit(128)
    # ('x' || '00000000000080008000000000000000')::bit(128)
)`;
const PEER = sql`(${sql.join(
  [1, 33, 65, 97].map((from) => sql`lpad(to_hex(substring(${MIXED} from ${sql.lit(from)} for 32)::bigint), 8, '0')`),
  sql` || `,
)})::uuid`;

export interface LostRange {
  /** Of the shard that was restored. */
  buckets: number[];
  /** Nothing older was lost. */
  since: number;
}

/**
 * Makes pending copies of what these owners exchanged with accounts of the lost buckets, among the newest `depth` entries
 * of each. Returns how many are new, and the owners who have more entries that are new enough.
 *
 * An entry whose owner has erased it is left out: its copy would erase the message on devices that still have it. So is an
 * erasure for its owner alone, which has no number of the other side.
 */
export async function insertPendingCopies(
  db: ShardDb,
  owners: string[],
  { buckets, since, depth }: LostRange & { depth: number },
): Promise<{ count: number; unfinished: string[] }> {
  const { numAffectedRows } = await sql`
    insert into owed (owner, seq, target, since)
    select l.owner, l.seq, case when l.sender = l.owner then ${PEER} else l.sender end, l.at
    from unnest(${owners}::uuid[]) as m (owner), lateral (
      select * from log where owner = m.owner order by seq desc limit ${depth}
    ) l
    where l.at >= ${since} and (l.body is not null or l.erases_id is not null)
      and case when l.sender = l.owner
        then l.peer_seq is not null and (bucket_of(l.owner) # bucket_of(l.chat)) = any (${buckets}::smallint[])
        else bucket_of(l.sender) = any (${buckets}::smallint[])
      end
    on conflict do nothing`.execute(db);
  const { rows } = await sql<{ owner: string }>`
    select m.owner from unnest(${owners}::uuid[]) as m (owner), lateral (
      select at from log where owner = m.owner order by seq desc offset ${depth} limit 1
    ) l where l.at >= ${since}`.execute(db);
  return { count: Number(numAffectedRows ?? 0), unfinished: rows.map((row) => row.owner) };
}
