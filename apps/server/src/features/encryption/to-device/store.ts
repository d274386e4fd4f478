import type { AccountId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { deletePage } from '../../../platform/postgres/paged-delete.ts';

export interface AddressedEvent {
  owner: AccountId;
  /** `*`: all devices. */
  device: string;
  event: string;
}

export interface ToDeviceTransaction {
  sender: AccountId;
  device: string;
  txn: string;
  now: number;
}

export interface Queued {
  owner: AccountId;
  verdict: 'queued' | 'duplicate' | 'moved' | 'unknown';
  epoch: number;
  upTo: number;
}

export async function queueEvents(
  db: ShardDb,
  events: AddressedEvent[],
  transaction: ToDeviceTransaction,
): Promise<Queued[]> {
  const { sender, device, txn, now } = transaction;
  const { rows } = await sql<Queued>`
    select owner, verdict, epoch, up_to as "upTo" from send_to_device(
      ${events.map((event) => event.owner)}::uuid[], ${events.map((event) => event.device)}::text[],
      ${events.map((event) => event.event)}::text[], ${sender}, ${device}, ${txn}, ${now}
    )`.execute(db);
  return rows;
}

export interface PendingEvents {
  epoch: number;
  isFrozen: boolean;
  /** All events up to this number are in this page or in earlier ones. */
  upTo: number;
  events: string[];
  changed: AccountId[];
  left: AccountId[];
  keyCount: number;
  unusedFallbacks: string[];
}

/** The queue of a device after `since`, read in one statement. Undefined if the shard has no such mailbox. */
export async function readPendingEvents(
  db: ShardDb,
  owner: AccountId,
  device: string,
  since: number,
  page: { events: number; bytes: number },
): Promise<PendingEvents | undefined> {
  const { rows } = await sql<PendingEvents>`
    with candidate as materialized (
      select c.*, row_number() over (order by seq) as ord,
        sum(octet_length(c.event)) over (order by seq) - octet_length(c.event) as bytes_before
      from (
        select seq, event from to_device where owner = ${owner} and device = ${device} and seq > ${since}
        order by seq limit ${page.events + 1}
      ) c
    ), page as (
      select * from candidate where ord <= ${page.events} and bytes_before < ${page.bytes}
    ), head as (
      select m.epoch, m.frozen, case
        when (select count(*) from page) < (select count(*) from candidate) then (select max(seq) from page)
        else m.to_device
      end as up_to
      from mailbox m where m.owner = ${owner}
    ), list_change as (
      select n.* from head h, lateral (
        select account, kind, seq from device_list_change
        where owner = ${owner} and seq > ${since} and seq <= h.up_to order by seq
      ) n
    )
    select h.epoch, h.frozen as "isFrozen", h.up_to as "upTo",
      array(select event from page order by seq) as events,
      array(select account from list_change where kind = 'changed' order by seq) as changed,
      array(select account from list_change where kind = 'left' order by seq) as left,
      (
        select count(*) from one_time_key
        where owner = ${owner} and device = ${device} and algorithm = 'signed_curve25519' and claimed_at is null
      ) as "keyCount",
      array(select algorithm from fallback_key where owner = ${owner} and device = ${device} and not used)
        as "unusedFallbacks"
    from head h`.execute(db);
  return rows[0];
}

/** Deletes events that the device has confirmed. */
export async function deleteEvents(db: ShardDb, owner: AccountId, device: string, upTo: number): Promise<void> {
  await db
    .deleteFrom('to_device')
    .where('owner', '=', owner)
    .where('device', '=', device)
    .where('seq', '<=', upTo)
    .execute();
}

/** A page of ids too old to be repeated. */
export async function deleteTransactions(db: ShardDb, before: number): Promise<boolean> {
  return deletePage(db, 'to_device_txn', sql`at < ${before}`);
}
