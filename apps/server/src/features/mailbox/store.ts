/** The SQL of a mailbox. What it promises is in the migrations beside the functions it calls. */
import type { Entry } from '@dostar/protocol/mailbox';
import type { AccountId, ChatId, DeviceId, MessageId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { Client } from 'pg';
import { bigintArray, booleanArray, byteaArray, integerArray, uuidArray } from '../../platform/binary-arrays.ts';
import type { ShardDb } from '../../platform/postgres.ts';

export interface NewEntry {
  owner: AccountId;
  sender: AccountId;
  id: MessageId;
  chat: ChatId;
  at: number;
  body: Buffer | null;
  rings?: boolean;
  deviceRev?: number;
  /** For a copy made apart from its message: the number of the message's own entry. */
  peerSeq?: number;
  /** Who is owed a copy of this entry. */
  owed?: AccountId;
  erases?: { sender: AccountId; id: MessageId };
}

/** Stored together or not at all; the first is the message, the others are its copies in other mailboxes. */
export type Unit = [NewEntry, ...NewEntry[]];

type Verdict =
  | 'new'
  | 'duplicate'
  | 'moved'
  | 'unknown'
  | 'stale_devices'
  | 'blocked'
  | 'request_pending'
  /** Would have been new, but another entry of its unit was refused. */
  | 'withheld';

export interface Appended {
  verdict: Verdict;
  seq: number;
  at: number;
  epoch: number;
  peerSeq: number | null;
  toDevice: number;
  /** The stored bytes, which for a repeat may be other than those offered. */
  body: Buffer | null;
}

export interface Settled {
  owner: AccountId;
  seq: number;
}

type AppendRow = [number, Verdict, number, number, number, number | null, number, boolean, Buffer | null];

const APPEND = {
  name: 'append',
  rowMode: 'array',
  text: `select ord, verdict, seq, at, epoch, peer_seq, to_device, differs, stored
    from append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
} as const;

/** One call for all units; answers in their order. */
export async function appendUnits(client: Client, units: Unit[], settled: Settled[]): Promise<Appended[][]> {
  const entries = units.flat();
  const result = await client.query<AppendRow>({
    ...APPEND,
    values: [
      integerArray(units.flatMap((unit, index) => unit.map(() => index))),
      uuidArray(entries.map((entry) => entry.owner)),
      uuidArray(entries.map((entry) => entry.sender)),
      uuidArray(entries.map((entry) => entry.id)),
      uuidArray(entries.map((entry) => entry.chat)),
      bigintArray(entries.map((entry) => entry.at)),
      byteaArray(entries.map((entry) => entry.body)),
      booleanArray(entries.map((entry) => entry.rings ?? false)),
      integerArray(entries.map((entry) => entry.deviceRev ?? null)),
      bigintArray(entries.map((entry) => entry.peerSeq ?? null)),
      uuidArray(entries.map((entry) => entry.owed ?? null)),
      uuidArray(entries.map((entry) => entry.erases?.sender ?? null)),
      uuidArray(entries.map((entry) => entry.erases?.id ?? null)),
      uuidArray(settled.map((row) => row.owner)),
      bigintArray(settled.map((row) => row.seq)),
    ],
  });

  const answers: Appended[] = Array.from({ length: entries.length });
  for (const [ord, verdict, seq, at, epoch, peerSeq, toDevice, differs, stored] of result.rows) {
    const body = differs ? stored : (entries[ord - 1]?.body ?? null);
    answers[ord - 1] = { verdict, seq, at, epoch, peerSeq, toDevice, body };
  }
  let next = 0;
  return units.map((unit) => answers.slice(next, (next += unit.length)));
}

export interface Head {
  owner: AccountId;
  epoch: number;
  lastSeq: number;
  rev: number;
  deviceRev: number;
  ackedSeq: number;
  toldSeq: number;
  isFrozen: boolean;
}

const HEADS = {
  name: 'heads',
  text: `select owner, epoch, last_seq as "lastSeq", rev, device_rev as "deviceRev", acked_seq as "ackedSeq",
    told_seq as "toldSeq", frozen as "isFrozen" from mailbox where owner = any ($1::uuid[])`,
};

/** At most a thousand at a time. */
export async function readHeads(client: Client, owners: AccountId[]): Promise<Head[]> {
  const { rows } = await client.query<Head>({ ...HEADS, values: [owners] });
  return rows;
}

export type StoredEntry = Entry & { toDevice: number };

const ENTRY_COLUMNS = [
  'seq',
  'sender',
  'message_id',
  'chat',
  'at',
  'peer_seq',
  'to_device',
  'erases_sender',
  'erases_id',
  'body',
] as const;

interface EntryRow {
  seq: number;
  sender: string;
  message_id: string;
  chat: string;
  at: number;
  peer_seq: number | null;
  to_device: number;
  erases_sender: string | null;
  erases_id: string | null;
  body: Buffer | null;
}

/** The log after a cursor, oldest first. */
export async function listEntriesSince(
  db: ShardDb,
  owner: AccountId,
  since: number,
  limit: number,
): Promise<StoredEntry[]> {
  const rows = await db
    .selectFrom('log')
    .select(ENTRY_COLUMNS)
    .where('owner', '=', owner)
    .where('seq', '>', since)
    .orderBy('seq')
    .limit(limit)
    .execute();
  return rows.map(toEntry);
}

/** A chat read backwards, newest first. */
export async function listChatBefore(
  db: ShardDb,
  owner: AccountId,
  chat: ChatId,
  before: number,
  limit: number,
): Promise<StoredEntry[]> {
  const rows = await db
    .selectFrom('log')
    .select(ENTRY_COLUMNS)
    .where('owner', '=', owner)
    .where('chat', '=', chat)
    .where('seq', '<', before)
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute();
  return rows.map(toEntry);
}

function toEntry(row: EntryRow): StoredEntry {
  const head = {
    seq: row.seq,
    sender: row.sender as AccountId,
    id: row.message_id as MessageId,
    chat: row.chat as ChatId,
    at: row.at,
    toDevice: row.to_device,
    ...(row.peer_seq !== null && { peerSeq: row.peer_seq }),
  };
  if (row.erases_sender !== null && row.erases_id !== null) {
    return {
      ...head,
      kind: 'erasure',
      erases: { sender: row.erases_sender as AccountId, id: row.erases_id as MessageId },
    };
  }
  return { ...head, kind: 'mail', ...(row.body !== null && { body: row.body.toString('base64url') }) };
}

export interface Wish {
  owner: AccountId;
  key: string;
  mark: number | null;
  value: Buffer | null;
}

export interface Written {
  verdict: 'changed' | 'unchanged' | 'moved' | 'unknown';
  rev: number | null;
  epoch: number;
}

export async function putRegisters(db: ShardDb, wishes: Wish[]): Promise<Written[]> {
  const { rows } = await sql<Written>`
    select verdict, rev, epoch from put_registers(
      ${wishes.map((wish) => wish.owner)}, ${wishes.map((wish) => wish.key)},
      ${wishes.map((wish) => wish.mark)}, ${wishes.map((wish) => wish.value)}
    ) order by ord`.execute(db);
  return rows;
}

interface StoredRegister {
  key: string;
  rev: number;
  mark: number | null;
  value: Buffer | null;
}

export interface Registers {
  rev: number;
  registers: StoredRegister[];
}

/** All registers changed after `rev`, with the revision they amount to, read in one statement (one snapshot). */
export async function listRegistersSince(db: ShardDb, owner: AccountId, rev: number): Promise<Registers> {
  const rows = await db
    .selectFrom('mailbox as m')
    .leftJoin('register as r', (join) => join.onRef('r.owner', '=', 'm.owner').on('r.rev', '>', rev))
    .select(['m.rev as upTo', 'r.key', 'r.rev', 'r.mark', 'r.value'])
    .where('m.owner', '=', owner)
    .orderBy('r.rev')
    .execute();
  const registers = rows.flatMap((row) =>
    row.key === null || row.rev === null ? [] : [{ key: row.key, rev: row.rev, mark: row.mark, value: row.value }],
  );
  return { rev: rows[0]?.upTo ?? rev, registers };
}

export interface Ack {
  owner: AccountId;
  device: DeviceId;
  seq: number;
}

/** Answers whose mailbox is not here or being moved: of theirs nothing was written. */
export async function ackEntries(db: ShardDb, acks: Ack[]): Promise<Absent[]> {
  const { rows } = await sql<Absent>`
    select owner, verdict from ack(
      ${acks.map((a) => a.owner)}, ${acks.map((a) => a.device)}, ${acks.map((a) => a.seq)}
    )`.execute(db);
  return rows;
}

export interface Absent {
  owner: AccountId;
  verdict: 'moved' | 'unknown';
}

export interface Told {
  owner: AccountId;
  toldSeq: number;
  ackedSeq: number;
  isFrozen: boolean;
}

/** How far devices have stored, and how far the senders know. */
export async function listTold(db: ShardDb, owners: AccountId[]): Promise<Told[]> {
  const { rows } = await sql<Told>`
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

/** How far each sender's mail has got to a device. */
export async function listReceipts(db: ShardDb, untold: Told[]): Promise<Receipt[]> {
  const { rows } = await sql<Receipt>`
    select l.owner, l.chat, l.sender, max(l.seq) as seq
    from unnest(
      ${untold.map((row) => row.owner)}::uuid[], ${untold.map((row) => row.toldSeq)}::bigint[],
      ${untold.map((row) => row.ackedSeq)}::bigint[]
    ) as u (owner, told, acked)
    join log l on l.owner = u.owner and l.seq > u.told and l.seq <= u.acked
    where l.sender <> l.owner
    group by l.owner, l.chat, l.sender`.execute(db);
  return rows;
}

/** Locks in owner order: an append in between waits, it never deadlocks. */
export async function markTold(db: ShardDb, told: Told[]): Promise<void> {
  const owners = told.map((row) => row.owner);
  await sql`
    with locked as materialized (
      select owner from mailbox where owner = any (${owners}::uuid[]) order by owner for no key update
    )
    update mailbox m set told_seq = t.seq
    from locked, unnest(${owners}::uuid[], ${told.map((row) => row.ackedSeq)}::bigint[]) as t (owner, seq)
    where m.owner = locked.owner and t.owner = m.owner and m.told_seq < t.seq and not m.frozen`.execute(db);
}

export interface OwedCopy {
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

export async function listOwed(db: ShardDb, before: number, limit: number): Promise<OwedCopy[]> {
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
      // Whatever the recipient did with theirs since then, the sender gets what was sent.
      (eb) => eb.fn.coalesce('l.body', 'o.body').as('body'),
    ])
    .where('o.since', '<', before)
    .orderBy('o.since')
    .limit(limit)
    .execute();
  return rows as OwedCopy[];
}

/** Says whether it is new. */
export async function insertMailbox(db: ShardDb, owner: AccountId): Promise<boolean> {
  const [result] = await db
    .insertInto('mailbox')
    .values({ owner })
    .onConflict((conflict) => conflict.column('owner').doNothing())
    .execute();
  return result?.numInsertedOrUpdatedRows === 1n;
}

/** After a restore: numbers handed out since the backup may come again with other entries, so old cursors must not count. */
export async function raiseEpochs(db: ShardDb): Promise<number> {
  const result = await sql`
    with locked as (select owner from mailbox order by owner for no key update)
    update mailbox m set epoch = epoch + 1 from locked where m.owner = locked.owner`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}
