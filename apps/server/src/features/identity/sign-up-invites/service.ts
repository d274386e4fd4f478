/** Invites of the operator: links that let people sign up, whatever `SIGN_UPS` says. */
import { randomUUID } from 'node:crypto';
import { INVITE_PATH } from '@dostar/protocol/contract/invite-tokens';
import { AppError } from '@dostar/protocol/errors';
import type { Context } from '../../../context.ts';
import type { DirectoryDb } from '../../../platform/postgres/pools.ts';
import { deleteExpiredInvites, deleteInvite, findInvite, insertInvite, listInvites, takeUse } from './store.ts';
import type { OperatorInvite } from './store.ts';
import { hashOperatorInviteToken, mintOperatorInviteToken } from './token.ts';

export type { OperatorInvite };

const DAY_MS = 24 * 3_600_000;

interface NewOperatorInvite {
  email: string | undefined;
  note: string | undefined;
  uses: number;
  days: number;
}

/** Returns the link. It can't be shown again, because the server keeps a hash of its secret. */
export async function createOperatorInvite(ctx: Context, wanted: NewOperatorInvite): Promise<string> {
  const { token, secretHash } = mintOperatorInviteToken();
  const { email = null, note = null, uses, days } = wanted;
  const createdAt = ctx.clock.now();
  const expiresAt = createdAt + days * DAY_MS;
  const invite = { id: randomUUID(), email, note, uses, usesLeft: uses, createdAt, expiresAt };
  await insertInvite(ctx.directory, secretHash, invite);
  return `${ctx.origin}${INVITE_PATH}#${token}`;
}

export async function listOperatorInvites(ctx: Context): Promise<OperatorInvite[]> {
  return listInvites(ctx.directory, ctx.clock.now());
}

/** A sign-up that was begun with the invite fails at its end. */
export async function revokeOperatorInvite(ctx: Context, id: string): Promise<boolean> {
  return deleteInvite(ctx.directory, id);
}

/** Undefined for one that was used up, has expired, was revoked or never existed. */
export async function findOperatorInvite(ctx: Context, token: string) {
  return findInvite(ctx.directory, hashOperatorInviteToken(token), ctx.clock.now());
}

/** In the transaction that completes the sign-up: an invite is used by completed sign-ups only. */
export async function useOperatorInvite(ctx: Context, directory: DirectoryDb, id: string): Promise<void> {
  if (!(await takeUse(directory, id, ctx.clock.now()))) throw new AppError('invite_gone');
}

export async function purgeOperatorInvites(ctx: Context): Promise<void> {
  await deleteExpiredInvites(ctx.directory, ctx.clock.now());
}
