/** Operator commands about one account. */
import { open } from 'node:fs/promises';
import { AccountId } from '@dostar/protocol/ids';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { closeAccount } from '../features/identity/use-cases/remove-account.ts';
import { exportAccount } from '../features/operations/data-export/service.ts';
import { disableAccount, enableAccount } from '../features/identity/sessions/disabling.ts';
import { readAccount, requireKnownAccount } from './account-summary.ts';
import { define } from './command.ts';
import { requireAccount, AccountRef } from './find-account.ts';

export const accountCommands = [
  define({
    usage: 'accounts find WHO',
    help: 'show an account; WHO is a username, an email address or an account id',
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
    help: 'sign out an account everywhere and refuse new sign-ins; nothing is deleted, messages to it are stored',
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
    help: 'let a disabled account sign in again',
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
    help: 'write every record of an account to a new JSON file; encrypted data stays encrypted',
    args: z.tuple([AccountRef, z.string().min(1)]),
    audit: 'name',
    async run(ctx, [ref, path], { about }) {
      const account = await requireAccount(ctx, ref);
      await about(account);
      // Readable by the caller only, and never overwrites a file.
      await using file = await open(path, 'wx', 0o600);
      const rows = await exportAccount(ctx, account, async (text) => void (await file.write(text)));
      return `${rows} records of ${account} written to ${path}`;
    },
  }),
  define({
    usage: 'accounts delete ACCOUNT',
    help: 'delete an account permanently; takes the id that "accounts find" prints, not a name',
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

async function describeAccount(ctx: Context, account: AccountId): Promise<string> {
  const { username, email, state, disabledAt, seenAt, ...found } = await readAccount(ctx, account);
  const lines = {
    account,
    username: username ?? 'none',
    email: email ? `${email.address}${email.isVerified ? '' : ', not verified'}` : 'none',
    state: state === 'disabled' && disabledAt !== undefined ? `disabled since ${day(disabledAt)}` : state,
    'last seen': seenAt === undefined ? 'never' : day(seenAt),
    sessions: String(found.sessions),
    files: `${found.stored} bytes`,
    reported: `${found.reports} times, ${found.openReports} open`,
    shard: found.shard,
  };
  return Object.entries(lines)
    .map(([name, value]) => `${name.padEnd(10)} ${value}`)
    .join('\n');
}

function day(at: number): string {
  return new Date(at).toISOString();
}
