/** Quotas of accounts whose address is not verified: one for each account, and one for all of them together. */
import type { Context } from '../../context.ts';
import type { AppwriteCaller } from '../http.ts';
import { insufficientStorage, sumUnverified } from '../../features/messaging/attachments/service.ts';
import type { UploadTerms } from '../../features/messaging/attachments/service.ts';

/** Uploads of other processes and all deletions are counted after this time, uploads of this process at once. */
const COUNT_EVERY_MS = 60_000;

interface CachedTotal {
  bytes: number;
  at: number;
}

const counted = new WeakMap<Context, CachedTotal>();

export function quotaFor(ctx: Context, caller: AppwriteCaller): Pick<UploadTerms, 'quotaBytes' | 'admit'> {
  if (!caller.roles.includes('users/unverified')) return {};
  const quotaBytes = Math.min(ctx.appwrite.unverifiedQuotaBytes, ctx.policy.blobQuotaBytes);
  return { quotaBytes, admit: (size) => requireSharedQuota(ctx, size) };
}

async function requireSharedQuota(ctx: Context, size: number): Promise<void> {
  const now = ctx.clock.now();
  let kept = counted.get(ctx);
  if (!kept || now - kept.at >= COUNT_EVERY_MS) {
    // The sum includes the new blob, which is charged already.
    kept = { bytes: (await sumUnverified(ctx)) - size, at: now };
    counted.set(ctx, kept);
  }
  if (kept.bytes + size > ctx.appwrite.unverifiedTotalBytes) throw insufficientStorage('account');
  kept.bytes += size;
}
