/** The user document: one per account, under the account's id, for its owner alone. */
import type { UserChanges, UserDocument } from '@dostar/protocol/contract/users';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { requireUsername } from '../usernames/service.ts';
import { findUser, insertUser, updateUser } from './store.ts';

type Changes = z.infer<typeof UserChanges>;

interface Profile {
  email: string | null;
  verifiedAt: number | null;
}

/** True if this call made it. */
export async function createUserDocument(
  ctx: Context,
  account: AccountId | undefined,
  profile: Profile,
): Promise<boolean> {
  if (account === undefined) throw new Error('There is no user');
  const username = await requireUsername(ctx, account);
  const permissions = ['read', 'update', 'delete'].map((action) => `${action}("user:${account}")`);
  return ctx.shards.follow(() =>
    ctx.shards
      .of(account)
      .write(account, (db) =>
        insertUser(db, { owner: account, username, permissions, now: ctx.clock.now(), ...profile }),
      ),
  );
}

export async function requireUser(ctx: Context, account: AccountId): Promise<UserDocument> {
  const row = await ctx.shards.of(account).query((db) => findUser(db, account));
  if (!row) throw new AppError('not_found');
  if (row.publicKey === null) ctx.log.error('a user document has no publicKey');
  return {
    $id: account,
    email: row.email,
    username: row.username,
    lastOnline: row.lastOnline === null ? null : new Date(row.lastOnline).toISOString(),
    FCMToken: row.fcmTokens,
    publicKey: row.publicKey,
    isVerified: row.verifiedAt !== null,
  };
}

export async function changeUser(ctx: Context, account: AccountId, changes: Changes): Promise<void> {
  const { FCMToken: fcmTokens, publicKey } = changes;
  await ctx.shards.follow(() =>
    ctx.shards.of(account).write(account, (db) => updateUser(db, account, { fcmTokens, publicKey }, ctx.clock.now())),
  );
}
