/**
 * The mailbox, for other features.
 *
 * Promise: what `deliver` returns is committed in the recipient's mailbox, and in the sender's own it is committed or
 * pending (SPEC M4, S4). Hints are published after the commit and may be lost.
 */
import { ACCOUNT_ALERTS_KEY } from '@dostar/protocol/contract/account-alerts';
import { AppError } from '@dostar/protocol/errors';
import { directChat } from '@dostar/protocol/ids';
import type { AccountId, ChatId, MessageId } from '@dostar/protocol/ids';
import { deliveredKey, readKey } from '@dostar/protocol/mailbox';
import type { Context } from '../../../context.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { WrongShardError } from '../../../platform/postgres/shards.ts';
import type { Shard } from '../../../platform/postgres/shards.ts';
import { appendWriter } from './append-writer.ts';
import { accountSubject, entryEvent } from './events.ts';
import { headReader } from './head-reader.ts';
import { countUnread } from './read-store.ts';
import { findDelivered } from './receipts-store.ts';
import { isRefusal } from './refusals.ts';
import { publishRegisters } from './publish-registers.ts';
import { senderReader } from './sender-reader.ts';
import {
  insertMailbox,
  isStored,
  listChatBefore,
  listEntriesSince,
  listNewest,
  listRegistersSince,
  lockMailbox,
  putRegisters,
} from './store.ts';
import type {
  Appended,
  Head,
  NewEntry,
  Registers,
  StoredEntry,
  AppendUnit,
  RegisterWrite,
  RegisterResult,
} from './store.ts';
import { toWire } from './wire.ts';

export { publishKeyCounts, publishSessionEnd, publishToDevice } from './publish-device-hints.ts';

export interface Delivery {
  from: AccountId;
  to: AccountId;
  id: MessageId;
  body: Buffer | null;
  rings: boolean;
  /** The device lists it was encrypted for. */
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

/** The part of a stored message that its copy is made from. */
type StoredCopy = Pick<Appended, 'seq' | 'at' | 'body'>;

interface Copies {
  theirs: Appended;
  own: Appended;
}

/** Delivers to the recipient's mailbox, then to the sender's own; announces each after its commit (SPEC S1). */
export async function deliver(ctx: Context, delivery: Delivery): Promise<Delivered> {
  const { from, to } = delivery;
  const message = newEntry(ctx, delivery);
  const copies = await ctx.shards.withCurrentShard(async () => {
    const [theirs, own] = [ctx.shards.of(to), ctx.shards.of(from)];
    if (from === to) return deliverToSelf(ctx, own, message);
    if (theirs === own) return deliverOnOneShard(ctx, own, message, delivery);
    return deliverAcrossShards(ctx, theirs, own, message, delivery);
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
  publishEntry(ctx, message, only!);
  return { theirs: only!, own: only! };
}

async function deliverOnOneShard(ctx: Context, shard: Shard, message: NewEntry, delivery: Delivery): Promise<Copies> {
  const { deviceRev: _theirs, ...rest } = message;
  const copy: NewEntry = {
    ...rest,
    owner: delivery.from,
    rings: false,
    ...(delivery.devices && { deviceRev: delivery.devices.own }),
  };
  const [theirs, own] = await appendTo(ctx, shard, [message, copy]);
  publishEntry(ctx, message, theirs!);
  publishEntry(ctx, copy, own!);
  return { theirs: theirs!, own: own! };
}

async function deliverAcrossShards(
  ctx: Context,
  theirShard: Shard,
  ownShard: Shard,
  message: NewEntry,
  delivery: Delivery,
): Promise<Copies> {
  // Once the recipient's copy is stored the message exists, so whatever would refuse the sender's copy is checked before.
  await checkSenderMailbox(theirShard, ownShard, message, delivery.devices?.own);

  const [theirs] = await appendTo(ctx, theirShard, [{ ...message, copyFor: delivery.from }]);
  // Not after the sender's copy: by then later messages of other senders would have been published, and the gateway would
  // wait for this one and in the end read the shard.
  publishEntry(ctx, message, theirs!);
  const own = await appendCopy(ctx, ownShard, message, delivery.from, theirs!);
  publishEntry(ctx, { ...message, owner: delivery.from }, own);
  appendWriter(ctx, theirShard).markCopied({ owner: message.owner, seq: theirs!.seq });
  return { theirs: theirs!, own };
}

async function checkSenderMailbox(theirs: Shard, own: Shard, message: NewEntry, deviceRev?: number): Promise<void> {
  const { sender, id, chat, erases } = message;
  const state = await senderReader(own).submit({ owner: sender, id });
  if (state.deviceRev === null) throw new WrongShardError('unknown', sender, own.id);
  if (state.chat !== null) {
    const isSame = state.chat === chat && state.erasesSender === (erases?.sender ?? null);
    if (!isSame || state.erasesId !== (erases?.id ?? null)) throw new AppError('id_taken');
    return;
  }
  if (deviceRev === undefined || state.deviceRev === deviceRev) return;
  // The duplicate check comes first (SPEC S6): a stored message was encrypted for the devices of its time.
  if (!(await theirs.query((db) => isStored(db, message)))) throw new AppError('stale_devices');
}

/**
 * The other side's copy, made from the stored entry: a repeat with other bytes must not give the two sides two messages.
 * Only the sender's copy names the number of the other one (SPEC S5).
 */
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
    ...(owner === sender && { peerSeq: stored.seq }),
    ...(erases && { erases }),
  };
  const [own] = await appendTo(ctx, shard, [copy]);
  return own!;
}

/** Makes a pending copy. Idempotent. */
export async function makeCopy(ctx: Context, message: NewEntry, owner: AccountId, stored: StoredCopy): Promise<void> {
  const own = await ctx.shards.withCurrentShard(() => appendCopy(ctx, ctx.shards.of(owner), message, owner, stored));
  publishEntry(ctx, { ...message, owner }, own);
}

async function appendTo(ctx: Context, shard: Shard, unit: AppendUnit): Promise<Appended[]> {
  const answers = await appendWriter(ctx, shard).append(unit);
  for (const [index, answer] of answers.entries()) {
    if (answer.verdict === 'moved' || answer.verdict === 'unknown') {
      throw new WrongShardError(answer.verdict, unit[index]!.owner, shard.id);
    }
  }
  for (const { verdict } of answers) {
    if (isRefusal(verdict)) throw new AppError(verdict);
  }
  return answers;
}

function publishEntry(ctx: Context, entry: NewEntry, stored: Appended): void {
  ctx.bus.publish(accountSubject(entry.owner), entryEvent(stored.epoch, stored.toDevice, toWire(entry, stored)));
}

/** Drops a message from the caller's own mailbox only. */
export async function eraseOwnCopy(
  ctx: Context,
  owner: AccountId,
  erasure: { id: MessageId; chat: ChatId; target: { sender: AccountId; id: MessageId }; proof?: string | undefined },
): Promise<number> {
  const entry: NewEntry = {
    owner,
    sender: owner,
    id: erasure.id,
    chat: erasure.chat,
    at: ctx.clock.now(),
    body: erasure.proof === undefined ? null : Buffer.from(erasure.proof, 'base64url'),
    erases: erasure.target,
  };
  const [stored] = await ctx.shards.withCurrentShard(() => appendTo(ctx, ctx.shards.of(owner), [entry]));
  publishEntry(ctx, entry, stored!);
  return stored!.seq;
}

/** The head of a mailbox, from the shard that really has it. */
export async function requireHead(ctx: Context, account: AccountId): Promise<Head> {
  return ctx.shards.withCurrentShard(async () => {
    const shard = ctx.shards.of(account);
    const head = await headReader(shard).submit(account);
    if (!head) throw new WrongShardError('unknown', account, shard.id);
    // Frozen: being moved (still right to read here) or gone already (not).
    if (head.isFrozen) await ctx.placement.reload();
    if (head.isFrozen && ctx.shards.of(account) !== shard) throw new WrongShardError('moved', account, shard.id);
    return head;
  });
}

/** The heads of many mailboxes. Those of a shard that is down, and those that have just moved, are left out. */
export async function listHeads(ctx: Context, accounts: AccountId[]): Promise<Head[]> {
  const heads = await Promise.allSettled(accounts.map((account) => headReader(ctx.shards.of(account)).submit(account)));
  return heads.flatMap((head) =>
    head.status === 'fulfilled' && head.value && !head.value.isFrozen ? [head.value] : [],
  );
}

/** The log after a cursor. A shard that has nothing is asked whether it still has the mailbox. */
export async function listSince(
  ctx: Context,
  account: AccountId,
  seq: number,
  limit: number,
  bytes = Number.MAX_SAFE_INTEGER,
): Promise<StoredEntry[]> {
  const entries = await read();
  if (entries.length > 0) return entries;
  await requireHead(ctx, account);
  return read();

  function read(): Promise<StoredEntry[]> {
    return ctx.shards.of(account).query((db) => listEntriesSince(db, account, seq, { limit, bytes }));
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

export interface ChatHead {
  last: StoredEntry | undefined;
  /** Counted up to a limit. */
  unread: number;
}

/** The newest message of each chat, and its number of unread messages. */
export async function listChatHeads(
  ctx: Context,
  account: AccountId,
  chats: ChatId[],
  maxUnread: number,
): Promise<Map<ChatId, ChatHead>> {
  const db = ctx.shards.of(account);
  const [newest, unread] = await Promise.all([
    db.query((shard) => listNewest(shard, account, chats)),
    db.query((shard) =>
      countUnread(
        shard,
        account,
        chats.map((chat) => ({ chat, readKey: readKey(chat, account) })),
        maxUnread,
      ),
    ),
  ]);
  const lasts = new Map(newest.map((entry) => [entry.chat, entry]));
  return new Map(chats.map((chat) => [chat, { last: lasts.get(chat), unread: unread.get(chat) ?? 0 }]));
}

/** The next registers changed after `rev`. A shard that has none is asked whether it still has the mailbox. */
export async function listRegisters(ctx: Context, account: AccountId, rev: number): Promise<Registers> {
  const found = await read();
  if (found.registers.length > 0) return found;
  await requireHead(ctx, account);
  return read();

  function read(): Promise<Registers> {
    return ctx.shards.of(account).query((db) => listRegistersSince(db, account, rev));
  }
}

/** Overwrites registers of any accounts and announces those that changed. Registers of unknown accounts are dropped. */
export async function setRegisters(ctx: Context, writes: RegisterWrite[]): Promise<void> {
  await ctx.shards.withCurrentShard(async () => {
    const groups = [...ctx.shards.group(writes, (write) => write.owner)];
    await Promise.all(groups.map(([shard, group]) => setOnShard(ctx, shard, group)));
  });
}

/** The owner has accepted a contact, who now learns how far their messages were delivered (SPEC R5). */
export async function publishDelivered(ctx: Context, owner: AccountId, sender: AccountId): Promise<void> {
  const chat = directChat(owner, sender);
  const mark = await ctx.shards.withCurrentShard(() =>
    ctx.shards.of(owner).write(owner, (db) => findDelivered(db, { owner, chat, sender })),
  );
  if (mark !== undefined)
    await setRegisters(ctx, [{ owner: sender, key: deliveredKey(chat, owner), mark, value: null }]);
}

/** Writes a register in the caller's transaction, which holds the owner's bucket. The caller announces it after the commit. */
export async function setRegisterInTransaction(
  ctx: Context,
  db: ShardDb,
  shard: Shard,
  write: RegisterWrite,
): Promise<PublishableWrite> {
  const results = await putRegisters(db, [write]);
  for (const { verdict } of results) {
    if (verdict === 'moved' || verdict === 'unknown') throw new WrongShardError(verdict, write.owner, shard.id);
  }
  const rev = results[0]?.rev ?? null;
  return { ...(rev !== null && { rev }), publish: () => publishRegisters(ctx, [write], results) };
}

interface PublishableWrite {
  /** Missing if nothing changed. */
  rev?: number;
  publish: () => void;
}

/** Locks the mailbox until the caller's transaction ends, so that what the caller reads next stays true. */
export async function holdMailbox(db: ShardDb, shard: Shard, owner: AccountId): Promise<void> {
  const isHere = await lockMailbox(db, owner);
  if (!isHere) throw new WrongShardError('unknown', owner, shard.id);
}

async function setOnShard(ctx: Context, shard: Shard, writes: RegisterWrite[]): Promise<void> {
  const results = await shard.query((db) => putRegisters(db, writes));
  publishRegisters(ctx, writes, results);

  const ownersOf = (kind: RegisterResult['verdict']): AccountId[] =>
    writes.filter((_, index) => results[index]?.verdict === kind).map((write) => write.owner);
  const unknown = ownersOf('unknown');
  // A shard that has given a mailbox away no longer knows it: the account may be on another shard.
  if (unknown.length > 0) await ctx.placement.reload();
  const absent = [...ownersOf('moved'), ...unknown.filter((owner) => ctx.shards.of(owner) !== shard)];
  for (const owner of absent) throw new WrongShardError('moved', owner, shard.id);
}

/** Part of making an account: the caller holds the bucket. */
export async function createMailbox(db: ShardDb, owner: AccountId): Promise<void> {
  await insertMailbox(db, owner);
}

/** Tells the account's devices to read its alerts. Fire-and-forget: a device that misses it reads them at its next start. */
export function publishAlert(ctx: Context, account: AccountId): void {
  setRegisters(ctx, [{ owner: account, key: ACCOUNT_ALERTS_KEY, mark: ctx.clock.now(), value: null }]).catch(
    (error: unknown) => {
      ctx.log.warn({ err: error }, 'hint not published');
    },
  );
}
