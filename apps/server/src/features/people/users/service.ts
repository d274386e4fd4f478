/** The user document: one per account, under the account's id, for its owner alone. */
import type { Locale } from '@dostar/protocol/contract/accounts';
import type { UserChanges, UserDocument } from '@dostar/protocol/contract/users';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { requireUsername } from '../../identity/usernames/service.ts';
import { findUser, followMasterKey, insertUser, listCards, updateUser } from './store.ts';
import type { UserCard } from './store.ts';

type Changes = z.infer<typeof UserChanges>;

interface Profile {
  email: string | null;
  verifiedAt: number | null;
  locale?: Locale | undefined;
}

/** True if this call created it. */
export async function createUserDocument(
  ctx: Context,
  account: AccountId | undefined,
  profile: Profile,
): Promise<boolean> {
  if (account === undefined) throw new Error('There is no user');
  const username = await requireUsername(ctx, account);
  const permissions = ['read', 'update', 'delete'].map((action) => `${action}("user:${account}")`);
  return ctx.shards.withCurrentShard(() =>
    ctx.shards
      .of(account)
      .write(account, (db) =>
        insertUser(db, { owner: account, username, permissions, now: ctx.clock.now(), ...profile }),
      ),
  );
}

export async function requireUser(ctx: Context, account: AccountId): Promise<UserDocument> {
  return (await requireUserWithTimes(ctx, account)).user;
}

export interface UserWithTimes {
  user: UserDocument;
  createdAt: number;
  updatedAt: number;
}

export async function requireUserWithTimes(ctx: Context, account: AccountId): Promise<UserWithTimes> {
  const row = await ctx.shards.of(account).query((db) => findUser(db, account));
  if (!row) throw new AppError('not_found');
  // The product's requirements ask for this error. During a sign-up it is expected: devices publish their keys later.
  if (row.publicKey === null) ctx.log.error('a user document has no publicKey');
  const user = {
    $id: account,
    email: row.email,
    username: row.username,
    lastOnline: row.lastOnline === null ? null : new Date(row.lastOnline).toISOString(),
    FCMToken: row.fcmTokens,
    publicKey: row.publicKey,
    isVerified: row.verifiedAt !== null,
  };
  return { user, createdAt: row.createdAt, updatedAt: row.updatedAt };
}

/** Part of publishing an identity: the document names its master key. A document created later names it too. */
export async function setPublicKey(ctx: Context, db: ShardDb, account: AccountId, publicKey: string): Promise<void> {
  await updateUser(db, account, { publicKey }, ctx.clock.now());
}

/** The email address of the owner and the language to write in; undefined without an address or a user document. */
export async function findEmailRecipient(
  ctx: Context,
  account: AccountId,
): Promise<{ to: string; locale: Locale } | undefined> {
  const row = await ctx.shards.of(account).query((db) => findUser(db, account));
  return row && row.email !== null ? { to: row.email, locale: row.locale as Locale } : undefined;
}

export async function setUserEmail(ctx: Context, account: AccountId, email: string): Promise<void> {
  const now = ctx.clock.now();
  await ctx.shards.withCurrentShard(() =>
    ctx.shards.of(account).write(account, (db) => updateUser(db, account, { email, verifiedAt: now }, now)),
  );
}

export async function setUserName(ctx: Context, account: AccountId, username: string): Promise<void> {
  const now = ctx.clock.now();
  await ctx.shards.withCurrentShard(() =>
    ctx.shards.of(account).write(account, (db) => updateUser(db, account, { username }, now)),
  );
}

export async function changeUser(ctx: Context, account: AccountId, changes: Changes): Promise<void> {
  const { FCMToken: fcmTokens, locale } = changes;
  await ctx.shards.withCurrentShard(() =>
    ctx.shards.of(account).write(account, async (db) => {
      await updateUser(db, account, { fcmTokens, locale }, ctx.clock.now());
      await followMasterKey(db, account);
    }),
  );
}

/** What others may see of accounts; those without a document are left out. */
export async function listCardsOf(ctx: Context, accounts: AccountId[]): Promise<Map<AccountId, UserCard>> {
  const groups = [...ctx.shards.group(accounts, (account) => account)];
  const found = await Promise.all(groups.map(([shard, owners]) => shard.query((db) => listCards(db, owners))));
  return new Map(found.flat().map((card) => [card.owner, card]));
}
