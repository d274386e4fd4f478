import { Email, Username } from '@dostar/protocol/contract/accounts';
import { AccountId } from '@dostar/protocol/ids';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { findAnyAccount } from '../features/identity/accounts/service.ts';
import { findAccountByUsername } from '../features/identity/usernames/service.ts';

/** How operators name an account: id, email address or username. */
export const AccountRef = z.union([
  AccountId.transform((account) => ({ by: 'id' as const, account })),
  Email.transform((email) => ({ by: 'email' as const, email })),
  Username.transform((username) => ({ by: 'username' as const, username })),
]);
type AccountRef = z.infer<typeof AccountRef>;

export async function requireAccount(ctx: Context, ref: AccountRef): Promise<AccountId> {
  const account = await findAccount(ctx, ref);
  if (account === undefined) throw new Error('no account has that name or address');
  return account;
}

export function findAccount(ctx: Context, ref: AccountRef): Promise<AccountId | undefined> {
  switch (ref.by) {
    case 'id':
      return Promise.resolve(ref.account);
    case 'email':
      return findAnyAccount(ctx, ref.email);
    case 'username':
      return findAccountByUsername(ctx, ref.username);
  }
}
