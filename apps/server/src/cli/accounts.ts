/** What operators do with somebody's account. */
import { open } from 'node:fs/promises';
import { AccountId } from '@dostar/protocol/ids';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { closeAccount, isBeingRemoved } from '../features/identity/use-cases/remove-account.ts';
import { describeEmailOf } from '../features/identity/accounts/service.ts';
import { exportAccount } from '../features/operations/data-export/service.ts';
import { requireHead } from '../features/messaging/mailbox/service.ts';
import { listLastSeen } from '../features/messaging/presence/service.ts';
import { listReportsOf } from '../features/people/reports/service.ts';
import { disableAccount, enableAccount, findDisabledAt } from '../features/identity/sessions/disabling.ts';
import { listSessionsOf } from '../features/identity/sessions/service.ts';
import { findUsername } from '../features/identity/usernames/service.ts';
import { bucketOf } from '../platform/postgres/placement.ts';
import { define } from './command.ts';
import { requireAccount, AccountRef } from './find-account.ts';

export const accountCommands = [
  define({
    usage: 'accounts find WHO',
    help: 'who that is: WHO is a username, an e-mail address or an account id, here and below',
    args: z.tuple([AccountRef]),
    audit: 'name',
    async run(ctx, [ref], { about }) {
      const account = await requireAccount(ctx, ref);
      await about(account);
      return describeAccount(ctx, account);
    },
  }),
  define({
    usage: 'accounts disable WHO',
    help: 'sign somebody out everywhere and let them in no more; nothing is deleted, mail to them waits',
    args: z.tuple([AccountRef]),
    audit: 'name',
    async run(ctx, [ref], { about }) {
      const account = await requireAccount(ctx, ref);
      await about(account);
      const sessions = await disableAccount(ctx, account);
      for (const hooks of ctx.accountHooks) await hooks.onDisabledChanged(ctx, account, true);
      return `${account} is disabled; ${sessions} sessions ended`;
    },
  }),
  define({
    usage: 'accounts enable WHO',
    help: 'let somebody in again who was disabled',
    args: z.tuple([AccountRef]),
    audit: 'name',
    async run(ctx, [ref], { about }) {
      const account = await requireAccount(ctx, ref);
      await about(account);
      const wasDisabled = await enableAccount(ctx, account);
      for (const hooks of ctx.accountHooks) await hooks.onDisabledChanged(ctx, account, false);
      return wasDisabled ? `${account} may sign in again` : `${account} was not disabled`;
    },
  }),
  define({
    usage: 'accounts export WHO FILE',
    help: 'write everything that is stored of somebody to a new file, as JSON; what is sealed stays sealed',
    args: z.tuple([AccountRef, z.string().min(1)]),
    audit: 'name',
    async run(ctx, [ref, path], { about }) {
      const account = await requireAccount(ctx, ref);
      await about(account);
      // Only for who asked, and never over something that is there.
      await using file = await open(path, 'wx', 0o600);
      const rows = await exportAccount(ctx, account, async (text) => void (await file.write(text)));
      return `${rows} records of ${account} in ${path}`;
    },
  }),
  define({
    usage: 'accounts delete ACCOUNT',
    help: 'delete somebody for good, as they would themselves; takes the id that find prints, never a name',
    args: z.tuple([AccountId]),
    audit: 'name',
    async run(ctx, [account], { about }) {
      await about(account);
      await requireKnownAccount(ctx, account);
      await closeAccount(ctx, account);
      return `${account} is deleted`;
    },
  }),
];

/** A mailbox, or what an interrupted deletion has left: an address or a name that nobody else can take. */
async function requireKnownAccount(ctx: Context, account: AccountId): Promise<void> {
  const left = [await describeEmailOf(ctx, account), await findUsername(ctx, account)];
  if (left.every((trace) => trace === undefined)) await requireHead(ctx, account);
}

async function describeAccount(ctx: Context, account: AccountId): Promise<string> {
  await requireKnownAccount(ctx, account);
  const email = await describeEmailOf(ctx, account);
  const disabledAt = await findDisabledAt(ctx, account);
  const state = disabledAt === undefined ? (email?.state ?? 'whole') : `disabled since ${day(disabledAt)}`;
  const seenAt = (await listLastSeen(ctx, [account])).get(account);
  const reports = await listReportsOf(ctx, account);
  const lines = {
    account,
    username: (await findUsername(ctx, account)) ?? 'none',
    'e-mail': email ? `${email.address}${email.verifiedAt === null ? ', not proved' : ''}` : 'none',
    state: (await isBeingRemoved(ctx, account)) ? 'being deleted' : state,
    'last seen': seenAt === undefined ? 'never' : day(seenAt),
    sessions: String((await listSessionsOf(ctx, account)).length),
    reported: `${reports.length} times, ${reports.filter(({ closedAt }) => closedAt === null).length} open`,
    place: `bucket ${bucketOf(account)} on shard ${ctx.shards.of(account).id}`,
  };
  return Object.entries(lines)
    .map(([name, value]) => `${name.padEnd(10)} ${value}`)
    .join('\n');
}

function day(at: number): string {
  return new Date(at).toISOString();
}
