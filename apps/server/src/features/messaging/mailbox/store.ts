/**
 * The SQL of a mailbox. The functions it calls are in `migrations/shard`: `append` in 0008, patched by 0009, 0035 and 0040;
 * `put_registers` in 0004, patched by 0040; those that only read in 0040.
 */
import type { Entry } from '@dostar/protocol/mailbox';
import type { AccountId, ChatId, MessageId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { Client } from 'pg';
import {
  bigintArray,
  booleanArray,
  byteaArray,
  integerArray,
  uuidArray,
} from '../../../platform/postgres/binary-arrays.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';

export interface NewEntry {
  owner: AccountId;
  sender: AccountId;
  id: MessageId;
  chat: ChatId;
  at: number;
  body: Buffer | null;
  rings?: boolean;
  deviceRev?: number;
  /** For a copy made after its message: the number of the message's own entry. */
  peerSeq?: number;
  /** The account whose copy of this entry is pending. */
  copyFor?: AccountId;
  erases?: { sender: AccountId; id: MessageId };
}

/** Stored together or not at all; the first is the message, the others are its copies in other mailboxes. */
export type AppendUnit = [NewEntry, ...NewEntry[]];

type Verdict =
  | 'new'
  | 'duplicate'
  | 'moved'
  | 'unknown'
  | 'id_taken'
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
  /** The stored bytes, which for a repeat may differ from the offered ones. */
  body: Buffer | null;
}

export interface CopyKey {
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
export async function appendUnits(client: Client, units: AppendUnit[], copied: CopyKey[]): Promise<Appended[][]> {
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
      uuidArray(entries.map((entry) => entry.copyFor ?? null)),
      uuidArray(entries.map((entry) => entry.erases?.sender ?? null)),
      uuidArray(entries.map((entry) => entry.erases?.id ?? null)),
      uuidArray(copied.map((row) => row.owner)),
      bigintArray(copied.map((row) => row.seq)),
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
  toDevice: number;
  ackedSeq: number;
  toldSeq: number;
  isFrozen: boolean;
}

const HEADS = {
  name: 'heads',
  text: `select owner, epoch, last_seq as "lastSeq", rev, device_rev as "deviceRev", to_device as "toDevice", acked_seq as "ackedSeq",
    told_seq as "toldSeq", frozen as "isFrozen" from read_heads($1)`,
};

/** At most a thousand at a time. */
export async function readHeads(client: Client, owners: AccountId[]): Promise<Head[]> {
  const { rows } = await client.query<Head>({ ...HEADS, values: [uuidArray(owners)] });
  return rows;
}

export interface SendAttempt {
  owner: AccountId;
  id: MessageId;
}

export interface SenderState {
  /** Null if there is no mailbox. */
  deviceRev: number | null;
  /** Of the entry that the sender has stored under the id; null without one. */
  chat: ChatId | null;
  erasesSender: AccountId | null;
  erasesId: MessageId | null;
}

const READ_SENDER_STATES = {
  name: 'look-at-senders',
  text: `select device_rev as "deviceRev", chat, erases_sender as "erasesSender", erases_id as "erasesId"
    from look_at_senders($1, $2) order by ord`,
};

export async function readSenderStates(client: Client, attempts: SendAttempt[]): Promise<SenderState[]> {
  const values = [
    uuidArray(attempts.map((attempt) => attempt.owner)),
    uuidArray(attempts.map((attempt) => attempt.id)),
  ];
  const { rows } = await client.query<SenderState>({ ...READ_SENDER_STATES, values });
  return rows;
}

export async function isStored(db: ShardDb, { owner, sender, id }: Pick<NewEntry, 'owner' | 'sender' | 'id'>) {
  const { rows } = await sql<{ isStored: boolean }>`
    select is_stored(${owner}, ${sender}, ${id}) as "isStored"`.execute(db);
  return rows[0]?.isStored === true;
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

/** The log after a cursor, oldest first: no more than `limit`, and no further one once there are so many bytes. */
export async function listEntriesSince(
  db: ShardDb,
  owner: AccountId,
  since: number,
  { limit, bytes }: { limit: number; bytes: number },
): Promise<StoredEntry[]> {
  const page = db
    .selectFrom('log')
    .select(ENTRY_COLUMNS)
    .where('owner', '=', owner)
    .where('seq', '>', since)
    .orderBy('seq')
    .limit(limit)
    .as('page');
  const weighed = db
    .selectFrom(page)
    .select([...ENTRY_COLUMNS, bytesBefore('body', 'seq').as('before')])
    .as('weighed');
  const rows = await db.selectFrom(weighed).select(ENTRY_COLUMNS).where('before', '<', bytes).orderBy('seq').execute();
  return rows.map(toEntry);
}

/** How many bytes the rows before this one have. PostgreSQL knows it without reading them. */
function bytesBefore(column: string, order: string) {
  return sql<number>`coalesce(sum(octet_length(${sql.ref(column)})) over
    (order by ${sql.ref(order)} rows between unbounded preceding and 1 preceding), 0)`;
}

/** A chat read backwards, newest first. */
export async function listChatBefore(
  db: ShardDb,
  owner: AccountId,
  chat: ChatId,
  before: number,
  limit: number,
): Promise<StoredEntry[]> {
  const { rows } = await sql<EntryRow>`
    select ${sql.join(ENTRY_COLUMNS.map((column) => sql.ref(column)))}
    from read_chat(${owner}, ${chat}, ${before}, ${limit}) order by seq desc`.execute(db);
  return rows.map(toEntry);
}

/** The newest message of each chat that has one. */
export async function listNewest(db: ShardDb, owner: AccountId, chats: ChatId[]): Promise<StoredEntry[]> {
  const { rows } = await sql<EntryRow>`
    select ${sql.join(ENTRY_COLUMNS.map((column) => sql.ref(column)))}
    from read_newest(${owner}, ${chats}::uuid[])`.execute(db);
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
      ...(row.body !== null && { proof: row.body.toString('base64url') }),
    };
  }
  return { ...head, kind: 'mail', ...(row.body !== null && { body: row.body.toString('base64url') }) };
}

export interface RegisterWrite {
  owner: AccountId;
  key: string;
  mark: number | null;
  value: Buffer | null;
}

export interface RegisterResult {
  verdict: 'changed' | 'unchanged' | 'moved' | 'unknown';
  rev: number | null;
  epoch: number;
}

export async function putRegisters(db: ShardDb, writes: RegisterWrite[]): Promise<RegisterResult[]> {
  const { rows } = await sql<RegisterResult>`
    select verdict, rev, epoch from put_registers(
      ${writes.map((write) => write.owner)}, ${writes.map((write) => write.key)},
      ${writes.map((write) => write.mark)}, ${writes.map((write) => write.value)}
    ) order by ord`.execute(db);
  return rows;
}

/** False if it is not here. */
export async function lockMailbox(db: ShardDb, owner: AccountId): Promise<boolean> {
  const row = await db
    .selectFrom('mailbox')
    .select('owner')
    .where('owner', '=', owner)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
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

const REGISTER_COLUMNS = ['key', 'rev', 'mark', 'value'] as const;
const REGISTERS_PAGE = { limit: 1_000, bytes: 1024 * 1024 };

/**
 * Registers changed after `rev`, the earliest change first, with the revision they lead to. Read in one statement (one
 * snapshot), in pages: all registers of an account are too much to hold for each of its connections.
 */
export async function listRegistersSince(db: ShardDb, owner: AccountId, rev: number): Promise<Registers> {
  const page = db
    .selectFrom('register')
    .select(REGISTER_COLUMNS)
    .where('owner', '=', owner)
    .where('rev', '>', rev)
    .orderBy('rev')
    .limit(REGISTERS_PAGE.limit)
    .as('page');
  const weighed = db
    .selectFrom(page)
    .select([...REGISTER_COLUMNS, bytesBefore('value', 'rev').as('before')])
    .as('r');
  const rows = await db
    .selectFrom('mailbox as m')
    .leftJoin(weighed, (join) => join.on('r.before', '<', REGISTERS_PAGE.bytes))
    .select(['m.rev as upTo', 'r.key', 'r.rev', 'r.mark', 'r.value'])
    .where('m.owner', '=', owner)
    .orderBy('r.rev')
    .execute();
  const registers = rows.flatMap((row) =>
    row.key === null || row.rev === null ? [] : [{ key: row.key, rev: row.rev, mark: row.mark, value: row.value }],
  );
  return { rev: registers.at(-1)?.rev ?? rows[0]?.upTo ?? rev, registers };
}

export async function insertMailbox(db: ShardDb, owner: AccountId): Promise<void> {
  await db
    .insertInto('mailbox')
    .values({ owner })
    .onConflict((conflict) => conflict.column('owner').doNothing())
    .execute();
}

/**
 * Raises the epochs of a page of mailboxes after `last`, in the order in which appends lock them; returns the last one.
 * Numbers assigned since the backup come again with other entries, so old cursors must not count.
 */
export async function raiseEpochs(db: ShardDb, last: string, limit: number): Promise<{ count: number; last: string }> {
  const { rows } = await sql<{ count: number; last: string | null }>`
    with locked as materialized (
      select owner from mailbox where owner > ${last}::uuid order by owner limit ${limit} for no key update
    ), raised as (
      update mailbox m set epoch = epoch + 1 from locked where m.owner = locked.owner
    )
    select count(*)::int as count, max(owner::text) as last from locked`.execute(db);
  return { count: rows[0]?.count ?? 0, last: rows[0]?.last ?? last };
}
