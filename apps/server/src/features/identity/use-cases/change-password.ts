/**
 * Changes the password, and with a renewal the account key.
 *
 * Promise: access to the email account alone can't change the password. A change takes the current password, or a
 * re-authentication if the account has none.
 */
import { RECOVERY_RETENTION_MS } from '@dostar/protocol/contract/account-unlock';
import type * as contract from '@dostar/protocol/contract/passwords';
import { VaultKind } from '@dostar/protocol/contract/vault';
import type { AccountId } from '@dostar/protocol/ids';
import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { copyVaultsToArchive, deleteRevisions, replaceVault, setFormerKey } from '../../encryption/vault/service.ts';
import {
  archiveWraps,
  deleteAccountKey,
  findRecord,
  hasPassword,
  requireSetup,
  setPassword,
} from '../passwords/service.ts';
import { findRestriction } from '../recovery/service.ts';
import {
  consumePasswordReauthentication,
  requirePasswordReauthentication,
  requireReauthentication,
  revokeOtherSessions,
} from '../sessions/service.ts';
import type { Session } from '../sessions/service.ts';
import { notifyOwner } from '../security-emails/service.ts';

/** Starts the registration of the new password. */
export async function startPasswordChange(ctx: Context, caller: Session, request: string) {
  await requireReauthentication(ctx, caller);
  // The current password itself: neither a passkey nor a recent sign-in is enough.
  if (await hasPassword(ctx, caller.account)) await requirePasswordReauthentication(ctx, caller);
  return { response: ctx.opaque.answerRegistration(caller.account, request), setup: ctx.opaque.setup };
}

type Change = z.output<(typeof contract.finishPasswordChange)['body']>;

export async function finishPasswordChange(ctx: Context, caller: Session, change: Change): Promise<void> {
  await requireReauthentication(ctx, caller);
  await changePassword(ctx, caller, change);
  if (change.endOthers || change.renewal) await revokeOtherSessions(ctx, caller);
  await notifyOwner(ctx, caller.account, 'password-changed');
}

async function changePassword(ctx: Context, caller: Session, change: Change): Promise<void> {
  const { account } = caller;
  const { record, wrap, renewal } = change;
  const setup = requireSetup(ctx, change.setup);
  const now = ctx.clock.now();
  await ctx.shards.write(account, async (db) => {
    if (await findRecord(db, account)) await consumePasswordReauthentication(ctx, db, caller);
    const isRestricted = (await findRestriction(db, caller)) !== undefined;
    if (renewal) await retireAccountKey(db, account, isRestricted, now);
    await setPassword(db, account, { record, setup }, wrap, now);
    for (const vault of renewal?.vaults ?? []) await replaceVault(db, account, vault, now);
    // Revisions are encrypted under the old account key, and the new vaults contain everything in them.
    if (renewal) await (isRestricted ? setFormerKey(db, account, true) : deleteRevisions(db, account));
  });
}

/** A restricted session only archives it for a month: the old password must still undo the change. */
async function retireAccountKey(db: ShardDb, account: AccountId, isRestricted: boolean, now: number): Promise<void> {
  if (!isRestricted) return deleteAccountKey(db, account);
  await copyVaultsToArchive(db, account, VaultKind.options, now + RECOVERY_RETENTION_MS);
  await archiveWraps(db, account, now + RECOVERY_RETENTION_MS);
}
