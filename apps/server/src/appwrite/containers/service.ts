/**
 * Owners of rows that are not accounts: each bucket and collection of `/v1` has an id derived from its name, which decides
 * its shard. It has an empty mailbox, by which a move of its placement bucket finds its rows.
 */
import { createHash } from 'node:crypto';
import { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../context.ts';
import type { ShardDb } from '../../platform/postgres/pools.ts';
import { createMailbox } from '../../features/messaging/mailbox/service.ts';
import { removePermissions } from './store.ts';
import type { ItemTable } from './store.ts';

export { listableItems } from './store.ts';

const known = new WeakMap<Context, Set<string>>();

export function ownerOf(kind: 'bucket' | 'collection', name: string): AccountId {
  const hex = createHash('sha256').update(`${kind} ${name}`).digest('hex');
  // UUID version 8: custom.
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return AccountId.parse(parts.join('-'));
}

/** A write to the items of a container. */
export async function writeContainer<T>(ctx: Context, owner: AccountId, task: (db: ShardDb) => Promise<T>): Promise<T> {
  await ensureContainer(ctx, owner);
  return ctx.shards.write(owner, task);
}

/** Removes a removed user from the permissions of everything in a container. */
export async function revokePermissions(ctx: Context, table: ItemTable, owner: AccountId, user: string): Promise<void> {
  const revoke = (): Promise<number> => ctx.shards.write(owner, (db) => removePermissions(db, table, { owner, user }));
  while ((await revoke()) > 0);
}

/** Creates the mailbox of the container, once per process. */
async function ensureContainer(ctx: Context, owner: AccountId): Promise<void> {
  const seen = known.get(ctx) ?? new Set();
  known.set(ctx, seen);
  if (seen.has(owner)) return;
  await ctx.shards.write(owner, (db) => createMailbox(db, owner));
  seen.add(owner);
}
