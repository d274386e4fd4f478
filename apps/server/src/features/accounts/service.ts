import { randomUUID } from 'node:crypto';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../context.ts';
import { createMailbox } from '../mailbox/service.ts';
import { count } from '../stats/service.ts';

/** An account begins with its mailbox. Doing it again changes nothing. */
export async function createAccount(ctx: Context, account = randomUUID() as AccountId): Promise<AccountId> {
  const isNew = await ctx.shards.follow(() =>
    ctx.shards.of(account).write(account, (db) => createMailbox(db, account)),
  );
  if (isNew) count(ctx, 'users');
  return account;
}
