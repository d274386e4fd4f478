/** Invite links, whose guests become contacts without a request. */
import { randomUUID } from 'node:crypto';
import { INVITE_LIVES_MS, INVITE_USES, MAX_INVITES } from '@dostar/protocol/contract/invites';
import type { Invite } from '@dostar/protocol/contract/invites';
import type { ContactState, FoundUser } from '@dostar/protocol/contract/contacts';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { admitContact, decideContact } from '../contacts/service.ts';
import { holdMailbox } from '../../messaging/mailbox/service.ts';
import { listCardsOf } from '../users/service.ts';
import {
  countDown,
  deleteExpiredInvites,
  deleteInvite,
  findInviteBySecret,
  insertInvite,
  insertUse,
  listInvites,
} from './store.ts';
import { mintInviteToken, readInviteToken } from './token.ts';

export async function createInvite(
  ctx: Context,
  owner: AccountId,
  replaces: string | undefined,
): Promise<{ token: string; invite: Invite }> {
  const { token, secretHash } = mintInviteToken(owner);
  const createdAt = ctx.clock.now();
  const invite = { id: randomUUID(), createdAt, expiresAt: createdAt + INVITE_LIVES_MS, usesLeft: INVITE_USES };
  await ctx.shards.withCurrentShard(async () => {
    const shard = ctx.shards.of(owner);
    await shard.write(owner, async (db) => {
      await holdMailbox(db, shard, owner);
      await deleteExpiredInvites(db, owner, createdAt);
      if (replaces !== undefined) await deleteInvite(db, owner, replaces);
      if ((await listInvites(db, owner, createdAt)).length >= MAX_INVITES) throw new AppError('too_many');
      await insertInvite(db, { ...invite, owner, secretHash });
    });
  });
  return { token, invite };
}

export async function listInvitesOf(ctx: Context, owner: AccountId): Promise<Invite[]> {
  return ctx.shards.of(owner).query((db) => listInvites(db, owner, ctx.clock.now()));
}

export async function revokeInvite(ctx: Context, owner: AccountId, id: string): Promise<void> {
  await ctx.shards.withCurrentShard(() => ctx.shards.of(owner).write(owner, (db) => deleteInvite(db, owner, id)));
}

/**
 * Changes the inviter's side first, where the invite is counted, together with the pending statement to the guest's side. So
 * after any crash both become contacts, or neither.
 */
export async function redeemInvite(
  ctx: Context,
  guest: AccountId,
  token: string,
  act: string,
): Promise<{ user: FoundUser; state: ContactState }> {
  const read = readInviteToken(token);
  if (!read) throw new AppError('invite_gone');
  const { account: owner, secretHash } = read;
  if (owner === guest) throw new AppError('forbidden');
  await admitContact(ctx, owner, guest, act, (db) => useInvite(ctx, db, owner, guest, secretHash)).catch(
    (error: unknown) => {
      // An account that is gone has no invites either.
      throw error instanceof AppError && error.code === 'unknown_account' ? new AppError('invite_gone') : error;
    },
  );
  const { contact } = await decideContact(ctx, guest, owner, 'accept', act);
  const card = (await listCardsOf(ctx, [owner])).get(owner);
  return {
    user: { id: owner, username: card?.username ?? null, publicKey: card?.publicKey ?? null },
    state: contact.state,
  };
}

/** Returns whether the guest uses the invite for the first time. */
async function useInvite(
  ctx: Context,
  db: ShardDb,
  owner: AccountId,
  guest: AccountId,
  secretHash: Buffer,
): Promise<boolean> {
  const invite = await findInviteBySecret(db, owner, secretHash, ctx.clock.now());
  if (!invite) throw new AppError('invite_gone');
  if (!(await insertUse(db, owner, invite.id, guest))) return false;
  if (invite.usesLeft === 0) throw new AppError('invite_gone');
  await countDown(db, owner, invite.id);
  return true;
}
