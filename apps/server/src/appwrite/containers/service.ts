/**
 * Owners that are no accounts: a bucket or a collection of `/v1` is in one bucket of the placement, under an id derived from
 * its name. Its mailbox stays empty; moving a bucket finds its rows by it.
 */
import { createHash } from 'node:crypto';
import { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../context.ts';
import type { ShardDb } from '../../platform/postgres/pools.ts';
import { createMailbox } from '../../features/messaging/mailbox/service.ts';
import { removePermissions } from './store.ts';
import type { ItemTable } from './store.ts';

const known = new WeakMap<Context, Set<string>>();

export function ownerOf(kind: 'bucket' | 'collection', name: string): AccountId {
  const hex = createHash('sha256').update(`${kind} ${name}`).digest('hex');
  // Version 8, "made by a rule of one's own".
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return AccountId.parse(parts.join('-'));
}

/** A write to what lies in a container. */
export async function writeContainer<T>(ctx: Context, owner: AccountId, task: (db: ShardDb) => Promise<T>): Promise<T> {
  await ensureContainer(ctx, owner);
  return ctx.shards.write(owner, task);
}

/** Removes a removed user from the permissions of everything in a container. */
export async function revokePermissions(ctx: Context, table: ItemTable, owner: AccountId, user: string): Promise<void> {
  const revoke = (): Promise<number> => ctx.shards.write(owner, (db) => removePermissions(db, table, { owner, user }));
  while ((await revoke()) > 0);
}

/** Before something is charged to it or written into it. */
async function ensureContainer(ctx: Context, owner: AccountId): Promise<void> {
  const seen = known.get(ctx) ?? new Set();
  known.set(ctx, seen);
  if (seen.has(owner)) return;
  await ctx.shards.write(owner, (db) => createMailbox(db, owner));
  seen.add(owner);
}
