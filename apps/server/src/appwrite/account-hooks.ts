import type { AccountHooks } from '../context.ts';
import { blockAppwriteAccount, endAppwriteSessions } from './accounts/service.ts';
import { dropDocumentsOf } from './documents/service.ts';
import { dropFilesOf } from './files/service.ts';
import { findAppwriteId, releaseAppwriteNames, yieldAppwriteEmail } from './ids/service.ts';

/** Updates `/v1` when an account of the product changes. */
export const appwriteAccountHooks: AccountHooks = {
  onEmailVerified: yieldAppwriteEmail,
  onSessionsRevoked: endAppwriteSessions,
  onDisabledChanged: blockAppwriteAccount,
  async onRemovalStarted(ctx, account) {
    await dropFilesOf(ctx, account, await findAppwriteId(ctx, account));
  },
  async onRowsDeleted(ctx, account) {
    const appwriteId = await findAppwriteId(ctx, account);
    // Again: a session of `/v1` that was still valid may have uploaded files until the rows were deleted.
    await dropFilesOf(ctx, account, appwriteId);
    await dropDocumentsOf(ctx, account, appwriteId);
    // Last: once the id is released, a repeated removal can't find it in permissions.
    await releaseAppwriteNames(ctx, account);
  },
};
