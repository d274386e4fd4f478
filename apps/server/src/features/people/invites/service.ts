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
  addToUses,
  deleteExpiredInvites,
  deleteInvite,
  deleteReservedUse,
  findInviteById,
  findInviteBySecret,
  insertInvite,
  insertUse,
  listInvites,
  redeemReservedUse,
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
    refuseUnknownOwner,
  );
  const { contact } = await decideContact(ctx, guest, owner, 'accept', act);
  const card = (await listCardsOf(ctx, [owner])).get(owner);
  return {
    user: { id: owner, username: card?.username ?? null, publicKey: card?.publicKey ?? null },
    state: contact.state,
  };
}

/** An invite that lets another guest in; undefined for any other token. */
export async function findOpenInvite(
  ctx: Context,
  token: string,
): Promise<{ owner: AccountId; id: string } | undefined> {
  const read = readInviteToken(token);
  if (!read) return undefined;
  const { account: owner, secretHash } = read;
  const invite = await ctx.shards.of(owner).query((db) => findInviteBySecret(db, owner, secretHash, ctx.clock.now()));
  return invite && invite.usesLeft > 0 ? { owner, id: invite.id } : undefined;
}

/**
 * Takes a use for a guest whose sign-up ends. When the guest redeems the invite afterwards, that use counts as the first
 * one. Idempotent; throws `invite_gone` if no use is left.
 */
export async function reserveInviteUse(ctx: Context, owner: AccountId, id: string, guest: AccountId): Promise<void> {
  await changeUses(ctx, owner, async (db) => {
    const invite = await findInviteById(db, owner, id, ctx.clock.now());
    if (!invite) throw new AppError('invite_gone');
    if (!(await insertUse(db, owner, id, guest, true))) return;
    if (invite.usesLeft === 0) throw new AppError('invite_gone');
    await addToUses(db, owner, id, -1);
  });
}

/** Gives the use back, if the guest has not redeemed it. */
export async function releaseInviteUse(ctx: Context, owner: AccountId, id: string, guest: AccountId): Promise<void> {
  await changeUses(ctx, owner, async (db) => {
    if (await deleteReservedUse(db, owner, id, guest)) await addToUses(db, owner, id, 1);
  });
}

/** Holds the owner's mailbox, as redeeming does: two guests can't both take the last use. */
async function changeUses(ctx: Context, owner: AccountId, change: (db: ShardDb) => Promise<void>): Promise<void> {
  await ctx.shards
    .withCurrentShard(async () => {
      const shard = ctx.shards.of(owner);
      await shard.write(owner, async (db) => {
        await holdMailbox(db, shard, owner);
        await change(db);
      });
    })
    .catch(refuseUnknownOwner);
}

/** An account that is gone has no invites either. */
function refuseUnknownOwner(error: unknown): never {
  throw error instanceof AppError && error.code === 'unknown_account' ? new AppError('invite_gone') : error;
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
  if (await redeemReservedUse(db, owner, invite.id, guest)) return true;
  if (!(await insertUse(db, owner, invite.id, guest, false))) return false;
  if (invite.usesLeft === 0) throw new AppError('invite_gone');
  await addToUses(db, owner, invite.id, -1);
  return true;
}
