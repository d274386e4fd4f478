/** Starts with a new account key under the current password; what the old key opens is archived for a month. */
import type { Wrap } from '@dostar/protocol/contract/accounts';
import { RECOVERY_RETENTION_MS } from '@dostar/protocol/contract/account-unlock';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import { announceDeviceList } from '../../encryption/device-lists/service.ts';
import { publishAlert } from '../../messaging/mailbox/service.ts';
import { insertWrap, requireCurrentRecord } from '../passwords/service.ts';
import { notifyOwner } from '../security-emails/service.ts';
import { archiveAccountKey } from './account-key-archive.ts';

export async function startFresh(ctx: Context, account: AccountId, wrap: Wrap, passwordSince: number): Promise<void> {
  if (wrap.method !== 'password') throw new AppError('invalid_request');
  const now = ctx.clock.now();
  const listRevision = await ctx.shards.write(account, async (db) => {
    await requireCurrentRecord(db, account, passwordSince);
    const list = await archiveAccountKey(ctx, db, account, now + RECOVERY_RETENTION_MS);
    await insertWrap(db, account, wrap, now);
    return list;
  });
  if (listRevision) announceDeviceList(ctx, account, listRevision);
  await notifyOwner(ctx, account, 'fresh-start');
  publishAlert(ctx, account);
}
