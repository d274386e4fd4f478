/**
 * Removes everything of an account. Others keep their copies of what it sent.
 *
 * Promise: a removal that has begun ends. It is recorded first and struck off last, and the worker repeats one that is
 * still recorded after a minute: the owner could not, because their sessions and password are among the first to go.
 *
 * Order matters: the shard first, the address last. An interruption leaves an address that leads to nothing, never rows
 * that can't be found. Every step may run twice, also in two processes at once.
 */
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import { notifyDeviceList } from '../../encryption/device-lists/service.ts';
import { deleteBlobsOf } from '../../messaging/attachments/service.ts';
import { sendNotice } from '../../operations/email/service.ts';
import { deleteRowsOf } from '../../operations/sharding/service.ts';
import { listKeyWatchers } from '../../people/contacts/service.ts';
import { findEmailRecipient } from '../../people/users/service.ts';
import { deleteEmailsOf, describeEmailOf, lockEmailOf, releaseIdentities } from '../accounts/service.ts';
import { removeLinksOf } from '../email-links/service.ts';
import { deleteEmailChangesOf } from '../emails/service.ts';
import { revokeAllSessions } from '../sessions/service.ts';
import { deleteSignUpsOf } from '../sign-ups/service.ts';
import { releaseUsername } from '../usernames/service.ts';
import { deletePendingRemoval, isRemovalPending, putPendingRemoval } from './removal-store.ts';

export async function removeAccount(ctx: Context, account: AccountId): Promise<void> {
  await beginRemoval(ctx, account);
  const wasUsed = (await describeEmailOf(ctx, account))?.state === 'whole';
  const contacts = await listKeyWatchers(ctx, account);
  await revokeAllSessions(ctx, account);
  for (const hooks of ctx.accountHooks) await hooks.onRemovalStarted(ctx, account);
  await deleteBlobsOf(ctx, account);
  await deleteRowsOf(ctx, account);
  for (const hooks of ctx.accountHooks) await hooks.onRowsDeleted(ctx, account);
  // A contact that misses this finds an empty device list with its next query.
  await notifyDeviceList(ctx, contacts, account, 'left').catch((error: unknown) => {
    ctx.log.debug({ err: error }, 'contacts not notified of a removed account');
  });
  await releaseUsername(ctx, account, wasUsed);
  await removeLinksOf(ctx, account);
  await deleteEmailChangesOf(ctx, account);
  await releaseIdentities(ctx, account);
  await deleteEmailsOf(ctx.directory, account);
  await deletePendingRemoval(ctx.directory, account);
}

/** Ends its sign-up too: a browser that continued the sign-up would lose the account while using it. */
async function beginRemoval(ctx: Context, account: AccountId): Promise<void> {
  await ctx.directory.transaction().execute(async (directory) => {
    await putPendingRemoval(directory, account, ctx.clock.now());
    await deleteSignUpsOf(directory, account);
  });
}

/** Whether a removal of the account has begun and not ended. */
export async function isBeingRemoved(ctx: Context, account: AccountId): Promise<boolean> {
  return isRemovalPending(ctx.directory, account);
}

/** For a sign-up that was abandoned when it was listed. One that has been completed since stays. */
export async function removeIncompleteAccount(ctx: Context, account: AccountId): Promise<void> {
  const isHalf = await ctx.directory.transaction().execute(async (directory) => {
    if ((await lockEmailOf(directory, account)) !== 'half') return false;
    await putPendingRemoval(directory, account, ctx.clock.now());
    return true;
  });
  if (isHalf) await removeAccount(ctx, account);
}

/**
 * At the owner's request. Sends the email as soon as the removal can no longer be stopped: the worker, which ends an
 * interrupted removal, could not find the address any more.
 */
export async function closeAccount(ctx: Context, account: AccountId): Promise<void> {
  const recipient = await findEmailRecipient(ctx, account);
  await beginRemoval(ctx, account);
  if (recipient)
    await sendNotice(ctx, { id: `deleted ${account}`, ...recipient, template: 'account-deleted', data: {} });
  await removeAccount(ctx, account);
}
