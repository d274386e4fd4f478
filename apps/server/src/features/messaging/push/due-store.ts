/** Accounts whose devices wait for a push. A claimed row of `push_due` becomes due again unless its results are saved. */
import type { AccountId, ChatId, DeviceId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import type { TargetRow } from './store.ts';

/** Beyond these a badge says "many" anyway, and counting them would read a long-absent person's whole log. */
const SCANNED_ENTRIES = 500;

interface ClaimedRows {
  /** How many rows were due. */
  count: number;
  /** The accounts among these that have a push target. */
  owners: AccountId[];
}

/** Drops the row of an account without push targets. */
export async function claimDue(
  db: ShardDb,
  { before, reclaimAt, limit }: { before: number; reclaimAt: number; limit: number },
): Promise<ClaimedRows> {
  const { rows } = await sql<ClaimedRows>`
    with due as materialized (
      select p.owner, exists (select from push_target t where t.owner = p.owner) as has_target
      from push_due p where p.since <= ${before} order by p.since limit ${limit} for update of p skip locked
    ), dropped as (
      delete from push_due p using due where p.owner = due.owner and not due.has_target
    ), taken as (
      update push_due p set since = ${reclaimAt} from due where p.owner = due.owner and due.has_target
    )
    select count(*) as count, coalesce(array_agg(owner) filter (where has_target), '{}') as owners from due`.execute(
    db,
  );
  return rows[0]!;
}

/** Makes the accounts due whose targets have waited until their `retry_at`. */
export async function requeueRetries(db: ShardDb, now: number): Promise<void> {
  await sql`
    insert into push_due (owner, since)
    select distinct t.owner, t.retry_at from push_target t where t.retry_at > 0 and t.retry_at <= ${now}
    on conflict do nothing`.execute(db);
}

export async function listTargets(db: ShardDb, owners: AccountId[]): Promise<TargetRow[]> {
  const rows = await db
    .selectFrom('push_target')
    .selectAll()
    .where('owner', '=', sql<string>`any(${owners}::uuid[])`)
    .execute();
  return rows as TargetRow[];
}

export interface Unread {
  owner: AccountId;
  /** The end of the mailbox when it was read. */
  lastSeq: number;
  /** `at`: the newest unread entry of the chat that triggers notifications. */
  chats: { chat: ChatId; at: number; count: number }[];
}

/**
 * Unread entries that trigger notifications, of senders that the owner has not muted, archived, declined or blocked
 * (SPEC N2). Skips moving mailboxes. The order makes PostgreSQL read only the end of the log, by its primary key.
 */
export async function listUnread(db: ShardDb, owners: AccountId[], now: number): Promise<Unread[]> {
  const { rows } = await sql<Unread>`
    select m.owner, m.last_seq as "lastSeq", coalesce(u.chats, '[]') as chats
    from mailbox m, lateral (
      select json_agg(json_build_object('chat', chat, 'at', at, 'count', count)) as chats from (
        select l.chat, max(l.seq) as at, count(*) as count
        from (
          select owner, chat, seq, sender from log
          where owner = m.owner and seq > m.last_seq - ${SCANNED_ENTRIES} and rings and body is not null and sender <> owner
          order by seq
        ) l
        left join lateral (
          select mark from register where owner = l.owner and key = 'read/' || l.chat || '/' || l.owner limit 1
        ) r on true
        left join lateral (
          select muted_until, archived, state from contact where owner = l.owner and peer = l.sender limit 1
        ) c on true
        where l.seq > coalesce(r.mark, 0) and coalesce(c.muted_until, 0) <= ${now}
          and not coalesce(c.archived, false)
          and (c.state is null or c.state not in ('declined', 'blocked'))
        group by l.chat
      ) ringing
    ) u
    where m.owner = any (${owners}::uuid[]) and not m.frozen`.execute(db);
  return rows;
}

export interface PushResult {
  owner: AccountId;
  device: DeviceId;
  /** Where the push went: the result does not count for an address that the device has given since. */
  address: string;
  upTo: number;
  /** Refused and postponed pushes in a row. */
  failures: number;
  /** Refused pushes in a row; postponed pushes in between do not count. */
  refusals: number;
  /** 0: there is nothing to retry. */
  retryAt: number;
  isGone: boolean;
}

/**
 * Records what was pushed and clears the due rows, unless a message came since the mailbox was read. Holds the mailboxes, so
 * nothing is appended meanwhile.
 */
export async function saveResults(
  db: ShardDb,
  unreadRows: Unread[],
  results: PushResult[],
  now: number,
): Promise<void> {
  const owners = unreadRows.map(({ owner }) => owner);
  await sql`
    select from mailbox where owner = any (${owners}::uuid[]) order by owner for no key update`.execute(db);
  await sql`
    with told as materialized (
      select * from unnest(
        ${results.map((row) => row.owner)}::uuid[], ${results.map((row) => row.device)}::uuid[],
        ${results.map((row) => row.address)}::text[], ${results.map((row) => row.upTo)}::bigint[],
        ${results.map((row) => row.failures)}::integer[], ${results.map((row) => row.refusals)}::integer[],
        ${results.map((row) => row.retryAt)}::bigint[], ${results.map((row) => row.isGone)}::boolean[]
      ) as r (owner, device, address, up_to, failures, refusals, retry_at, is_gone)
    ), gone as (
      delete from push_target t using told
      where t.owner = told.owner and t.device = told.device and t.address = told.address and told.is_gone
    )
    update push_target t
    set told_seq = greatest(t.told_seq, told.up_to), failures = told.failures, refusals = told.refusals,
      retry_at = told.retry_at
    from told
    where t.owner = told.owner and t.device = told.device and t.address = told.address and not told.is_gone`.execute(
    db,
  );
  await sql`
    with looked as materialized (
      select l.owner, m.last_seq > l.last_seq as has_more
      from unnest(${owners}::uuid[], ${unreadRows.map(({ lastSeq }) => lastSeq)}::bigint[]) as l (owner, last_seq)
      join mailbox m on m.owner = l.owner
    ), done as (
      delete from push_due p using looked where p.owner = looked.owner and not looked.has_more
    )
    update push_due p set since = ${now} from looked where p.owner = looked.owner and looked.has_more`.execute(db);
}
