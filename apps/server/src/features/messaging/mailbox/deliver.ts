/**
 * Delivers a message or an erasure to the mailboxes of both sides.
 *
 * Promise: what `deliver` returns is committed in the recipient's mailbox, and in the sender's own it is committed or
 * pending (SPEC M4, S4). Hints are published after the commit and may be lost.
 */
import { AppError } from '@dostar/protocol/errors';
import { directChat } from '@dostar/protocol/ids';
import type { AccountId, ChatId, MessageId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import { WrongShardError } from '../../../platform/postgres/shards.ts';
import type { Shard } from '../../../platform/postgres/shards.ts';
import { appendWriter } from './append-writer.ts';
import { accountSubject, entryEvent } from './events.ts';
import { isRefusal } from './refusals.ts';
import { senderReader } from './sender-reader.ts';
import { isStored } from './store.ts';
import type { Appended, AppendUnit, NewEntry } from './store.ts';
import { toWire } from './wire.ts';

interface Delivery {
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
