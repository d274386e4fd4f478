/**
 * Changes of the `/v1` password, email address and status.
 *
 * A session alone is not enough for the first two: an open browser does not know the password.
 */
import type { Locale } from '@dostar/protocol/contract/accounts';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../context.ts';
import { AppwriteError } from '../errors.ts';
import type { AppwriteUser } from '../http.ts';
import { findCompleteAccount } from '../../features/identity/accounts/service.ts';
import { replaceAppwriteEmail } from '../ids/service.ts';
import { notifyAccountChange } from './notices.ts';
import { hashPassword, isPassword, requireAcceptable } from './passwords.ts';
import {
  changeAppwriteAccount,
  describeAccount,
  endAppwriteSession,
  listAppwriteSessions,
  requireAppwriteAccount,
} from './service.ts';
import { updateAccount } from './store.ts';

type Caller = Pick<AppwriteUser, 'account' | 'session'>;

/** Revokes every session but the caller's, so the old password gives no access. */
export async function changeAppwritePassword(
  ctx: Context,
  { account, session }: Caller,
  { password, oldPassword, locale }: { password: string; oldPassword: string; locale: Locale },
) {
  const before = await requirePassword(ctx, account, oldPassword);
  await requireAcceptable(ctx, password, before.email);
  const passwordHash = await hashPassword(password);
  const now = ctx.clock.now();
  await ctx.shards.write(account, (db) =>
    updateAccount(db, account, { password_hash: passwordHash, password_at: now }),
  );
  for (const { id } of await listAppwriteSessions(ctx, account)) {
    if (id !== session) await endAppwriteSession(ctx, account, id);
  }
  await notifyAccountChange(ctx, before, 'password', locale);
  return changeAppwriteAccount(ctx, account, {});
}

/** The new address must be verified; the old one becomes free. */
export async function changeAppwriteEmail(
  ctx: Context,
  account: AccountId,
  { email, password, locale }: { email: string; password: string; locale: Locale },
) {
  const before = await requirePassword(ctx, account, password);
  if (before.email === email) return describeAccount(ctx, account);
  // As for a sign-up, any answer would tell whether the address is free.
  if (ctx.policy.hidesAccounts) {
    throw new AppwriteError('user_auth_method_unsupported', 'The address can not be changed on this server.');
  }
  // An account of the product that has verified the address keeps it.
  const isTaken = (await findCompleteAccount(ctx, email)) || !(await replaceAppwriteEmail(ctx, account, email));
  if (isTaken) throw new AppwriteError('general_bad_request');
  const changed = await changeAppwriteAccount(ctx, account, { email, verified_at: null });
  await notifyAccountChange(ctx, before, 'email', locale);
  return changed;
}

async function requirePassword(ctx: Context, account: AccountId, password: string) {
  const row = await requireAppwriteAccount(ctx, account);
  if (!(await isPassword(password, row.password_hash))) throw new AppwriteError('user_invalid_credentials');
  return row;
}
