/** What operators see of an account: no message, no contact. */
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../context.ts';
import { describeEmailOf } from '../features/identity/accounts/service.ts';
import { findDisabledAt } from '../features/identity/sessions/disabling.ts';
import { listSessionsOf } from '../features/identity/sessions/service.ts';
import { isBeingRemoved } from '../features/identity/use-cases/remove-account.ts';
import { findUsername } from '../features/identity/usernames/service.ts';
import { readUsage } from '../features/messaging/attachments/service.ts';
import { requireHead } from '../features/messaging/mailbox/service.ts';
import { listLastSeen } from '../features/messaging/presence/service.ts';
import { listReportsOf } from '../features/people/reports/service.ts';
import { bucketOf } from '../platform/postgres/placement.ts';

export interface AccountSummary {
  account: AccountId;
  username: string | undefined;
  email: { address: string; isVerified: boolean } | undefined;
  /** `half` until its sign-up is complete. */
  state: 'whole' | 'half' | 'disabled' | 'being deleted';
  disabledAt: number | undefined;
  seenAt: number | undefined;
  sessions: number;
  /** Bytes of files that count against its quota. */
  stored: number;
  reports: number;
  openReports: number;
  shard: string;
}

/** Throws unless the account exists. */
export async function readAccount(ctx: Context, account: AccountId): Promise<AccountSummary> {
  await requireKnownAccount(ctx, account);
  const email = await describeEmailOf(ctx, account);
  const disabledAt = await findDisabledAt(ctx, account);
  const state = disabledAt === undefined ? (email?.state ?? 'whole') : 'disabled';
  const reports = await listReportsOf(ctx, account);
  return {
    account,
    username: await findUsername(ctx, account),
    email: email && { address: email.address, isVerified: email.verifiedAt !== null },
    state: (await isBeingRemoved(ctx, account)) ? 'being deleted' : state,
    disabledAt,
    seenAt: (await listLastSeen(ctx, [account])).get(account),
    sessions: (await listSessionsOf(ctx, account)).length,
    stored: (await readUsage(ctx, account)).used,
    reports: reports.length,
    openReports: reports.filter(({ closedAt }) => closedAt === null).length,
    shard: `bucket ${bucketOf(account)} on shard ${ctx.shards.of(account).id}`,
  };
}

/** Throws unless the account has a mailbox, or an address or username that an interrupted deletion left. */
export async function requireKnownAccount(ctx: Context, account: AccountId): Promise<void> {
  const left = [await describeEmailOf(ctx, account), await findUsername(ctx, account)];
  if (left.every((trace) => trace === undefined)) await requireHead(ctx, account);
}
