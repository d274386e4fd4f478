/**
 * Devices say what they have stored; senders learn that their mail arrived (SPEC R5).
 *
 * Acks are gathered for two seconds, because every message would otherwise cost two more writes. Senders are told first
 * and that they were told is noted second: an interruption in between repeats a mark, which changes nothing.
 */
import type { AccountId, DeviceId } from '@dostar/protocol/ids';
import { deliveredKey } from '@dostar/protocol/mailbox';
import type { Context } from '../../context.ts';
import { NotHere } from '../../platform/shards.ts';
import type { Shard } from '../../platform/shards.ts';
import { setRegisters } from './service.ts';
import { ackEntries, listReceipts, listTold, markTold } from './store.ts';
import type { Ack } from './store.ts';

const FLUSH_EVERY_MS = 2_000;

export class Receipts implements AsyncDisposable {
  readonly #ctx: Context;
  readonly #timer: NodeJS.Timeout;
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

  /** A failed flush is repeated by the device's next ack, or by the comparison of the gateway. */
  async flush(): Promise<void> {
    const acks = [...this.#acks.values()];
    this.#acks = new Map();
    if (acks.length === 0) return;
    const groups = [...this.#ctx.shards.group(acks, (ack) => ack.owner)];
    const outcomes = await Promise.allSettled(
      groups.map(async ([, group]) => {
        await this.#write(group);
        await tellSenders(this.#ctx, [...new Set(group.map((ack) => ack.owner))]);
      }),
    );
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') this.#ctx.log.warn({ err: outcome.reason }, 'acks not written');
    }
  }

  /** A device acks once: what a shard that gave the mailbox away ignored would never be said again. */
  async #write(acks: Ack[]): Promise<void> {
    await this.#ctx.shards.follow(async () => {
      for (const [shard, group] of this.#ctx.shards.group(acks, (ack) => ack.owner)) {
        const [absent] = await shard.query((db) => ackEntries(db, group));
        if (absent) throw new NotHere(absent.verdict, absent.owner, shard.id);
      }
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}

export async function tellSenders(ctx: Context, accounts: AccountId[]): Promise<void> {
  await ctx.shards.follow(async () => {
    for (const [shard, owners] of ctx.shards.group(accounts, (account) => account)) {
      await tellOnShard(ctx, shard, owners);
    }
  });
}

async function tellOnShard(ctx: Context, shard: Shard, owners: AccountId[]): Promise<void> {
  const known = new Map((await shard.query((db) => listTold(db, owners))).map((row) => [row.owner, row]));
  const untold = [...known.values()].filter((row) => row.toldSeq < row.ackedSeq && !row.isFrozen);
  if (untold.length > 0) {
    const receipts = await shard.query((db) => listReceipts(db, untold));
    const wishes = receipts.map(({ owner, chat, sender, seq }) => {
      return { owner: sender, key: deliveredKey(chat, owner), mark: seq, value: null };
    });
    if (wishes.length > 0) await setRegisters(ctx, wishes);
    await shard.query((db) => markTold(db, untold));
  }
  for (const owner of owners) {
    const row = known.get(owner);
    if (!row || row.isFrozen) throw new NotHere(row ? 'moved' : 'unknown', owner, shard.id);
  }
}
