/** "It was not me": undoes a password reset and revokes every session and credential created since. */
import { RECOVERY_LOCKOUT_MS } from '@dostar/protocol/contract/account-unlock';
import { AppError } from '@dostar/protocol/errors';
import type { Context } from '../../../context.ts';
import { announceDeviceList } from '../../encryption/device-lists/service.ts';
import { publishAlert } from '../../messaging/mailbox/service.ts';
import { releaseIdentities } from '../accounts/service.ts';
import { cancelEmailChange } from '../emails/service.ts';
import { deletePasskeysSince } from '../passkeys/service.ts';
import { findRecovery, requireOldPassword, undoReset } from '../passwords/service.ts';
import type { OldPasswordLogin } from '../passwords/service.ts';
import { dropFactorsSince } from '../second-factors/service.ts';
import { notifyOwner } from '../security-emails/service.ts';
import { announceRevokedSessions, listSessionsOf, revokeSessionsSince } from '../sessions/service.ts';
import type { Session } from '../sessions/service.ts';
import { restoreAccountKey } from './account-key-archive.ts';

/** Takes the old password, and a session that began before the reset. */
export async function lockAccount(ctx: Context, caller: Session, oldLogin: OldPasswordLogin): Promise<void> {
  const { account, session } = caller;
  await requireOldPassword(ctx, account, oldLogin);
  const sessions = await listSessionsOf(ctx, account);
  const { resetAt, revoked, listRevision } = await ctx.shards.write(account, async (db) => {
    const recovery = await findRecovery(db, account);
    const isOlder = sessions.some(({ id, createdAt }) => id === session && createdAt < (recovery?.resetAt ?? 0));
    if (!recovery || !isOlder) throw new AppError('forbidden');
    const revokedSessions = await revokeSessionsSince(ctx, db, account, recovery.resetAt);
    const list = await restoreAccountKey(ctx, db, account);
    // After the other wraps: it deletes the current wraps that it replaces.
    await undoReset(db, account, ctx.clock.now() + RECOVERY_LOCKOUT_MS);
    await deletePasskeysSince(db, account, recovery.resetAt);
    await dropFactorsSince(db, account, recovery.resetAt);
    return { resetAt: recovery.resetAt, revoked: revokedSessions, listRevision: list };
  });
  announceRevokedSessions(ctx, account, revoked);
  if (listRevision) announceDeviceList(ctx, account, listRevision);
  await releaseIdentities(ctx, account, resetAt);
  await cancelEmailChange(ctx, account);
  for (const hooks of ctx.accountHooks) await hooks.onSessionsRevoked(ctx, account);
  await notifyOwner(ctx, account, 'account-locked');
  publishAlert(ctx, account);
}
