/** Accounts that sign in with an OpenID provider: found by issuer and subject, never by email address. */
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import { deleteIdentitiesOf, findIdentity, insertIdentity } from './external-identity-store.ts';
import type { Identity } from './external-identity-store.ts';

export type { Identity };

export async function findAccountOf(ctx: Context, identity: Identity): Promise<AccountId | undefined> {
  return findIdentity(ctx.directory, identity);
}

/** False if it belongs to another account. */
export async function claimIdentity(ctx: Context, identity: Identity, account: AccountId): Promise<boolean> {
  await insertIdentity(ctx.directory, identity, account, ctx.clock.now());
  return (await findIdentity(ctx.directory, identity)) === account;
}

/** `since`: only the identities linked from that time on. */
export async function releaseIdentities(ctx: Context, account: AccountId, since?: number): Promise<void> {
  await deleteIdentitiesOf(ctx.directory, account, since);
}
