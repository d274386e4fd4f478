/**
 * Devices acknowledge what they have stored; senders learn that their messages were delivered (SPEC R5).
 *
 * Acks are collected for two seconds, because every message would otherwise cost two more writes. Receipts are published
 * first and recorded as published second: an interruption in between repeats a mark, which changes nothing.
 */
import { AppError } from '@dostar/protocol/errors';
import type { AccountId, DeviceId } from '@dostar/protocol/ids';
import { deliveredKey } from '@dostar/protocol/mailbox';
import type { Context } from '../../../context.ts';
import { WrongShardError } from '../../../platform/postgres/shards.ts';
import type { Shard } from '../../../platform/postgres/shards.ts';
import { ackEntries, listReceipts, listReceiptStates, markPublished } from './receipts-store.ts';
import type { Ack } from './receipts-store.ts';
import { setRegisters } from './service.ts';

const FLUSH_EVERY_MS = 2_000;

export class Receipts implements AsyncDisposable {
  readonly #ctx: Context;
  readonly #timer: NodeJS.Timeout;
  readonly #flushing = new Set<Promise<void>>();
  #acks = new Map<string, Ack>();

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#timer = setInterval(() => void this.flush(), FLUSH_EVERY_MS);
  }

  ack(owner: AccountId, device: DeviceId, seq: number): void {
    const key = `${owner}/${device}`;
    const known = this.#acks.get(key);
    if (!known || known.seq < seq) this.#acks.set(key, { owner, device, seq });
  }

  flush(): Promise<void> {
    const flushing = this.#flushAll().finally(() => this.#flushing.delete(flushing));
    this.#flushing.add(flushing);
    return flushing;
  }

  async #flushAll(): Promise<void> {
    const acks = [...this.#acks.values()];
    this.#acks = new Map();
    const groups = [...this.#ctx.shards.group(acks, (ack) => ack.owner)];
    await Promise.all(groups.map(([, group]) => this.#flushGroup(group)));
  }

  async #flushGroup(acks: Ack[]): Promise<void> {
    try {
      await this.#write(acks);
      await publishDeliveryReceipts(this.#ctx, [...new Set(acks.map((ack) => ack.owner))]);
    } catch (error) {
      this.#ctx.log.warn({ err: error }, 'acks not written');
      if (error instanceof AppError && error.code === 'unknown_account') return;
      // The shard is down: a device that has nothing more to store would not acknowledge again.
      for (const { owner, device, seq } of acks) this.ack(owner, device, seq);
    }
  }

  /** A device acknowledges once, so an ack that met a shard which gave the mailbox away must not be lost. */
  async #write(acks: Ack[]): Promise<void> {
    await this.#ctx.shards.withCurrentShard(async () => {
      for (const [shard, group] of this.#ctx.shards.group(acks, (ack) => ack.owner)) {
        const [missing] = await shard.query((db) => ackEntries(db, group));
        if (missing) throw new WrongShardError(missing.verdict, missing.owner, shard.id);
      }
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
    await Promise.all(this.#flushing);
  }
}

export async function publishDeliveryReceipts(ctx: Context, accounts: AccountId[]): Promise<void> {
  await ctx.shards.withCurrentShard(async () => {
    for (const [shard, owners] of ctx.shards.group(accounts, (account) => account)) {
      await publishOnShard(ctx, shard, owners);
    }
  });
}

async function publishOnShard(ctx: Context, shard: Shard, owners: AccountId[]): Promise<void> {
  const known = new Map((await shard.query((db) => listReceiptStates(db, owners))).map((row) => [row.owner, row]));
  const unpublished = [...known.values()].filter((row) => row.toldSeq < row.ackedSeq && !row.isFrozen);
  if (unpublished.length > 0) {
    const receipts = await shard.query((db) => listReceipts(db, unpublished));
    const writes = receipts.map(({ owner, chat, sender, seq }) => {
      return { owner: sender, key: deliveredKey(chat, owner), mark: seq, value: null };
    });
    if (writes.length > 0) await setRegisters(ctx, writes);
    await shard.query((db) => markPublished(db, unpublished));
  }
  for (const owner of owners) {
    const row = known.get(owner);
    if (!row || row.isFrozen) throw new WrongShardError(row ? 'moved' : 'unknown', owner, shard.id);
  }
}
