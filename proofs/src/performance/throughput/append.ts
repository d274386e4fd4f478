/** Calls `deliver`, the product's own append to the mailboxes, in this process: no HTTP, no socket, no bus. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { AccountId, MessageId } from '@dostar/protocol/ids';
import type { Context } from '../../../../apps/server/src/context.ts';
import { deliver } from '../../../../apps/server/src/features/messaging/mailbox/deliver.ts';

export interface AppendOptions {
  accounts: AccountId[];
  bodyBytes: number;
  /** Messages in flight. */
  window: number;
  warmSeconds: number;
  seconds: number;
}

/** Messages per second. */
export async function runAppend(ctx: Context, options: AppendOptions): Promise<number> {
  const { accounts, window, warmSeconds, seconds } = options;
  const body = randomBytes(options.bodyBytes);
  const from = performance.now() + warmSeconds * 1000;
  const until = from + seconds * 1000;
  let stored = 0;
  await Promise.all(Array.from({ length: window }, sendInTurn));
  return stored / seconds;

  async function sendInTurn(): Promise<void> {
    while (performance.now() < until) {
      const one = Math.floor(Math.random() * accounts.length);
      const other = Math.floor(Math.random() * (accounts.length - 1));
      const to = accounts[other >= one ? other + 1 : other]!;
      await deliver(ctx, { from: accounts[one]!, to, id: randomUUID() as MessageId, body, rings: true });
      const now = performance.now();
      if (now >= from && now < until) stored += 1;
    }
  }
}
