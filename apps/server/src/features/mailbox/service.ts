/**
 * The mailbox, for everybody else.
 *
 * Promise: what `deliver` answers is committed in the recipient's mailbox, and in the sender's own it is committed or
 * owed (SPEC M4, S4). Rings go out after the commit and may be lost.
 */
import { AppError } from '@dostar/protocol/errors';
import { directChat } from '@dostar/protocol/ids';
import type { AccountId, ChatId, MessageId } from '@dostar/protocol/ids';
import type { Entry } from '@dostar/protocol/mailbox';
import type { Context } from '../../context.ts';
import type { ShardDb } from '../../platform/postgres.ts';
import { NotHere } from '../../platform/shards.ts';
import type { Shard } from '../../platform/shards.ts';
import { appendLane } from './append-lane.ts';
import { accountSubject, entryEvent, registerEvent, sessionEndedEvent } from './events.ts';
import { headLane } from './head-lane.ts';
import {
  insertMailbox,
  listChatBefore,
  listEntriesSince,
  listRegistersSince,
  putRegisters,
  raiseEpochs,
} from './store.ts';
import type { Appended, Head, NewEntry, Registers, StoredEntry, Unit, Wish, Written } from './store.ts';

export interface Delivery {
  from: AccountId;
  to: AccountId;
  id: MessageId;
  body: Buffer | null;
  rings: boolean;
  /** The device lists it was sealed for. */
  devices?: { own: number; peer: number };
  erases?: { sender: AccountId; id: MessageId };
}

export interface Delivered {
  state: 'new' | 'duplicate';
  epoch: number;
  seq: number;
  peerSeq: number;
  at: number;
}

/** What a copy needs to know of the stored message. */
type StoredCopy = Pick<Appended, 'seq' | 'at' | 'body'>;

interface Copies {
  theirs: Appended;
  own: Appended;
}

/** Sends from one account to another: their mailbox, then the sender's own; each is rung when it has it (SPEC S1). */
export async function deliver(ctx: Context, delivery: Delivery): Promise<Delivered> {
  const { from, to } = delivery;
  const message = newEntry(ctx, delivery);
  const copies = await ctx.shards.follow(async () => {
    const [theirs, own] = [ctx.shards.of(to), ctx.shards.of(from)];
    if (from === to) return deliverToSelf(ctx, own, message);
    if (theirs === own) return deliverTogether(ctx, own, message, delivery);
    return deliverApart(ctx, theirs, own, message, delivery);
  });

  return {
    state: copies.theirs.verdict === 'duplicate' ? 'duplicate' : 'new',
    epoch: copies.own.epoch,
    seq: copies.own.seq,
    peerSeq: copies.theirs.seq,
    at: copies.theirs.at,
  };
}

function newEntry(ctx: Context, delivery: Delivery): NewEntry {
  const { from, to, id, body, rings, devices, erases } = delivery;
  return {
    owner: to,
    sender: from,
    id,
    chat: directChat(from, to),
    at: ctx.clock.now(),
    body,
    rings: rings && from !== to,
    ...(devices && { deviceRev: devices.peer }),
    ...(erases && { erases }),
  };
}

async function deliverToSelf(ctx: Context, shard: Shard, message: NewEntry): Promise<Copies> {
  const [only] = await appendTo(ctx, shard, [message]);
  ringEntry(ctx, message, only!);
  return { theirs: only!, own: only! };
}

async function deliverTogether(ctx: Context, shard: Shard, message: NewEntry, delivery: Delivery): Promise<Copies> {
  const { deviceRev: _theirs, ...rest } = message;
  const copy: NewEntry = {
    ...rest,
    owner: delivery.from,
    rings: false,
    ...(delivery.devices && { deviceRev: delivery.devices.own }),
  };
  const [theirs, own] = await appendTo(ctx, shard, [message, copy]);
  ringEntry(ctx, message, theirs!);
  ringEntry(ctx, copy, own!);
  return { theirs: theirs!, own: own! };
}

async function deliverApart(
  ctx: Context,
  theirShard: Shard,
  ownShard: Shard,
  message: NewEntry,
  delivery: Delivery,
): Promise<Copies> {
  // Once their copy is stored the message exists: whether the sender's own devices changed has to be asked before.
  if (delivery.devices) await requireDeviceRev(ownShard, delivery.from, delivery.devices.own);

  const [theirs] = await appendTo(ctx, theirShard, [{ ...message, owed: delivery.from }]);
  // Not after the sender's copy: by then later mail of other senders would have been rung, and their gateway would wait
  // for this one and in the end read the shard.
  ringEntry(ctx, message, theirs!);
  const own = await appendCopy(ctx, ownShard, message, delivery.from, theirs!);
  ringEntry(ctx, { ...message, owner: delivery.from }, own);
  appendLane(ctx, theirShard).settle({ owner: message.owner, seq: theirs!.seq });
  return { theirs: theirs!, own };
}

async function requireDeviceRev(shard: Shard, account: AccountId, deviceRev: number): Promise<void> {
  const head = await headLane(shard).submit(account);
  if (!head) throw new NotHere('unknown', account, shard.id);
  if (head.deviceRev !== deviceRev) throw new AppError('stale_devices');
}

/** The sender's copy, made from the stored entry: a repeat with other bytes must not give the two sides two messages. */
async function appendCopy(
  ctx: Context,
  shard: Shard,
  message: NewEntry,
  owner: AccountId,
  stored: StoredCopy,
): Promise<Appended> {
  const { sender, id, chat, erases } = message;
  const copy: NewEntry = {
    owner,
    sender,
    id,
    chat,
    at: stored.at,
    body: stored.body,
    peerSeq: stored.seq,
    ...(erases && { erases }),
  };
  const [own] = await appendTo(ctx, shard, [copy]);
  return own!;
}

/** Makes a copy that an interrupted send still owes. Doing it twice is harmless. */
export async function settleCopy(ctx: Context, message: NewEntry, owner: AccountId, stored: StoredCopy): Promise<void> {
  const own = await ctx.shards.follow(() => appendCopy(ctx, ctx.shards.of(owner), message, owner, stored));
  ringEntry(ctx, { ...message, owner }, own);
}

async function appendTo(ctx: Context, shard: Shard, unit: Unit): Promise<Appended[]> {
  const answers = await appendLane(ctx, shard).append(unit);
  for (const [index, answer] of answers.entries()) {
    if (answer.verdict === 'moved' || answer.verdict === 'unknown') {
      throw new NotHere(answer.verdict, unit[index]!.owner, shard.id);
    }
  }
  for (const { verdict } of answers) {
    if (verdict === 'stale_devices' || verdict === 'blocked' || verdict === 'request_pending')
      throw new AppError(verdict);
  }
  return answers;
}

function ringEntry(ctx: Context, entry: NewEntry, stored: Appended): void {
  ctx.bus.publish(accountSubject(entry.owner), entryEvent(stored.epoch, toWire(entry, stored)));
}

function toWire(entry: NewEntry, stored: Appended): Entry {
  const { sender, id, chat, erases } = entry;
  const head = { seq: stored.seq, sender, id, chat, at: stored.at, ...(stored.peerSeq && { peerSeq: stored.peerSeq }) };
  if (erases) return { ...head, kind: 'erasure', erases };
  return { ...head, kind: 'mail', ...(stored.body && { body: stored.body.toString('base64url') }) };
}

/** Drops a message from the caller's own mailbox only. */
export async function eraseOwnCopy(
  ctx: Context,
  owner: AccountId,
  erasure: { id: MessageId; chat: ChatId; target: { sender: AccountId; id: MessageId } },
): Promise<number> {
  const entry: NewEntry = {
    owner,
    sender: owner,
    id: erasure.id,
    chat: erasure.chat,
    at: ctx.clock.now(),
    body: null,
    erases: erasure.target,
  };
  const [stored] = await ctx.shards.follow(() => appendTo(ctx, ctx.shards.of(owner), [entry]));
  ringEntry(ctx, entry, stored!);
  return stored!.seq;
}

/** Where a mailbox stands, asked of the shard that really has it. */
export async function requireHead(ctx: Context, account: AccountId): Promise<Head> {
  return ctx.shards.follow(async () => {
    const shard = ctx.shards.of(account);
    const head = await headLane(shard).submit(account);
    if (!head) throw new NotHere('unknown', account, shard.id);
    // Frozen: being moved (still right to read here) or gone already (not).
    if (head.isFrozen) await ctx.placement.reload();
    if (head.isFrozen && ctx.shards.of(account) !== shard) throw new NotHere('moved', account, shard.id);
    return head;
  });
}

/** Where many mailboxes stand. Those of a shard that is away, or that has just moved, are left out. */
export async function listHeads(ctx: Context, accounts: AccountId[]): Promise<Head[]> {
  const heads = await Promise.allSettled(accounts.map((account) => headLane(ctx.shards.of(account)).submit(account)));
  return heads.flatMap((head) =>
    head.status === 'fulfilled' && head.value && !head.value.isFrozen ? [head.value] : [],
  );
}

/** The log after a cursor. A shard that has nothing is asked whether it still has the mailbox. */
export async function listSince(ctx: Context, account: AccountId, seq: number, limit: number): Promise<StoredEntry[]> {
  const entries = await read();
  if (entries.length > 0) return entries;
  await requireHead(ctx, account);
  return read();

  function read(): Promise<StoredEntry[]> {
    return ctx.shards.of(account).query((db) => listEntriesSince(db, account, seq, limit));
  }
}

export async function listChat(
  ctx: Context,
  account: AccountId,
  page: { chat: ChatId; before?: number | undefined; limit: number },
): Promise<{ epoch: number; entries: StoredEntry[] }> {
  const head = await requireHead(ctx, account);
  const before = page.before ?? head.lastSeq + 1;
  const entries = await ctx.shards
    .of(account)
    .query((db) => listChatBefore(db, account, page.chat, before, page.limit));
  return { epoch: head.epoch, entries };
}

/** The registers changed after `rev`. A shard that has none is asked whether it still has the mailbox. */
export async function listRegisters(ctx: Context, account: AccountId, rev: number): Promise<Registers> {
  const found = await read();
  if (found.registers.length > 0) return found;
  await requireHead(ctx, account);
  return read();

  function read(): Promise<Registers> {
    return ctx.shards.of(account).query((db) => listRegistersSince(db, account, rev));
  }
}

/** Overwrites registers of any accounts and rings those that changed. Those of nobody are dropped. */
export async function setRegisters(ctx: Context, wishes: Wish[]): Promise<void> {
  await ctx.shards.follow(async () => {
    const groups = [...ctx.shards.group(wishes, (wish) => wish.owner)];
    await Promise.all(groups.map(([shard, group]) => setOnShard(ctx, shard, group)));
  });
}

async function setOnShard(ctx: Context, shard: Shard, wishes: Wish[]): Promise<void> {
  const written = await shard.query((db) => putRegisters(db, wishes));
  for (const [index, { verdict, rev, epoch }] of written.entries()) {
    const wish = wishes[index]!;
    if (verdict !== 'changed' || rev === null) continue;
    const register = { key: wish.key, rev, ...markAndValue(wish) };
    ctx.bus.publish(accountSubject(wish.owner), registerEvent(epoch, register));
  }

  const ownersOf = (kind: Written['verdict']): AccountId[] =>
    wishes.filter((_, index) => written[index]?.verdict === kind).map((wish) => wish.owner);
  const unknown = ownersOf('unknown');
  // Gone from here is not gone: a shard that has given a mailbox away has never heard of it either.
  if (unknown.length > 0) await ctx.placement.reload();
  const absent = [...ownersOf('moved'), ...unknown.filter((owner) => ctx.shards.of(owner) !== shard)];
  for (const owner of absent) throw new NotHere('moved', owner, shard.id);
}

export function markAndValue(register: { mark: number | null; value: Buffer | null }): {
  mark?: number;
  value?: string;
} {
  return {
    ...(register.mark !== null && { mark: register.mark }),
    ...(register.value !== null && { value: register.value.toString('base64url') }),
  };
}

/** Part of making an account: the caller holds the bucket. */
export async function createMailbox(db: ShardDb, owner: AccountId): Promise<boolean> {
  return insertMailbox(db, owner);
}

/** Gateways close the sockets of that session. */
export function announceSessionEnd(ctx: Context, account: AccountId, session: string): void {
  ctx.bus.publish(accountSubject(account), sessionEndedEvent(session));
}

/** After a restore: numbers handed out since the backup will come again, so no old cursor may count (SPEC C3). */
export async function raiseEpoch(ctx: Context, shard: number): Promise<number> {
  return ctx.shards.byId(shard).query((db) => raiseEpochs(db));
}
