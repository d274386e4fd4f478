/** The SQL of delivery receipts: up to where devices have stored, and up to where senders were told. */
import type { AccountId, ChatId, DeviceId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { ShardDb } from '../../../platform/postgres/pools.ts';

export interface Ack {
  owner: AccountId;
  device: DeviceId;
  seq: number;
}

/** Returns mailboxes that are not here or being moved: nothing was written for them. */
export async function ackEntries(db: ShardDb, acks: Ack[]): Promise<MissingMailbox[]> {
  const { rows } = await sql<MissingMailbox>`
    select owner, verdict from ack(
      ${acks.map((a) => a.owner)}, ${acks.map((a) => a.device)}, ${acks.map((a) => a.seq)}
    )`.execute(db);
  return rows;
}

export interface MissingMailbox {
  owner: AccountId;
  verdict: 'moved' | 'unknown';
}

export interface ReceiptState {
  owner: AccountId;
  toldSeq: number;
  ackedSeq: number;
  isFrozen: boolean;
}

/** Up to where devices have stored, and up to where senders were told. */
export async function listReceiptStates(db: ShardDb, owners: AccountId[]): Promise<ReceiptState[]> {
  const { rows } = await sql<ReceiptState>`
    select owner, told_seq as "toldSeq", acked_seq as "ackedSeq", frozen as "isFrozen" from mailbox
    where owner = any (${owners}::uuid[])`.execute(db);
  return rows;
}

export interface Receipt {
  owner: AccountId;
  chat: ChatId;
  sender: AccountId;
  seq: number;
}

/**
 * How far each sender's messages have got to a device; for accepted senders only: a receipt would tell others that
 * the owner is online, before the owner has accepted them. The order makes PostgreSQL read the log by its primary key.
 */
export async function listReceipts(db: ShardDb, unpublished: ReceiptState[]): Promise<Receipt[]> {
  const { rows } = await sql<Receipt>`
    select l.owner, l.chat, l.sender, max(l.seq) as seq
    from unnest(
      ${unpublished.map((row) => row.owner)}::uuid[], ${unpublished.map((row) => row.toldSeq)}::bigint[],
      ${unpublished.map((row) => row.ackedSeq)}::bigint[]
    ) as u (owner, told, acked), lateral (
      select owner, chat, sender, seq from log
      where owner = u.owner and seq > u.told and seq <= u.acked and sender <> owner
      order by seq
    ) l, lateral (
      select from contact where owner = l.owner and peer = l.sender and state = 'accepted' limit 1
    ) known
    group by l.owner, l.chat, l.sender`.execute(db);
  return rows;
}

/** The last of what `sender` wrote that a device of the owner has stored. */
export async function findDelivered(
  db: ShardDb,
  { owner, chat, sender }: Omit<Receipt, 'seq'>,
): Promise<number | undefined> {
  const { rows } = await sql<{ seq: number | null }>`
    select find_arrived(${owner}, ${chat}, ${sender}) as seq`.execute(db);
  return rows[0]?.seq ?? undefined;
}

/** Locks in owner order: an append in between waits, it never deadlocks. */
export async function markPublished(db: ShardDb, published: ReceiptState[]): Promise<void> {
  const owners = published.map((row) => row.owner);
  await sql`
    with locked as materialized (
      select owner from mailbox where owner = any (${owners}::uuid[]) order by owner for no key update
    )
    update mailbox m set told_seq = t.seq
    from locked, unnest(${owners}::uuid[], ${published.map((row) => row.ackedSeq)}::bigint[]) as t (owner, seq)
    where m.owner = locked.owner and t.owner = m.owner and m.told_seq < t.seq and not m.frozen`.execute(db);
}
