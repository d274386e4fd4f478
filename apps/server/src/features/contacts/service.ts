/** Who may write to whom, and see whom. */
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../context.ts';
import { listAccepting, putContact } from './store.ts';

/** Of `accounts`, those that have accepted `viewer` as a contact. */
export async function listContactsOf(ctx: Context, viewer: AccountId, accounts: AccountId[]): Promise<AccountId[]> {
  const groups = [...ctx.shards.group(accounts, (account) => account)];
  const found = await Promise.all(
    groups.map(([shard, owners]) => shard.query((db) => listAccepting(db, owners, viewer))),
  );
  return found.flat();
}

export async function setContact(
  ctx: Context,
  owner: AccountId,
  peer: AccountId,
  state: 'accepted' | 'blocked',
): Promise<void> {
  await ctx.shards.follow(() => ctx.shards.of(owner).write(owner, (db) => putContact(db, owner, peer, state)));
}
