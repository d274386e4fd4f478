/** Ids, email addresses and identities of `/v1` accounts. Each belongs to one account. */
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../context.ts';
import {
  deleteOf,
  deleteOtherEmails,
  deleteUnproved,
  findByEmail,
  findById,
  findByIdentity,
  findIdOf,
  insertEmail,
  insertIdentity,
  insertUser,
  isFormerId,
  reserveIdOf,
  setProved,
} from './store.ts';
import type { Identity } from './store.ts';

/** False if another account has the id or the address, or a removed one had the id. */
export async function claimAppwriteNames(
  ctx: Context,
  account: AccountId,
  { id, email }: { id: string; email: string },
): Promise<boolean> {
  return ctx.directory.transaction().execute(async (tx) => {
    // Checked after the insert, which waits for a running removal of an account with this id.
    const isFree = (await insertUser(tx, id, account)) && !(await isFormerId(tx, id));
    if (isFree && (await insertEmail(tx, email, account))) return true;
    await deleteOf(tx, account);
    return false;
  });
}

/** For an account that could not be created: its id was never used, so it becomes free again. */
export async function unclaimAppwriteNames(ctx: Context, account: AccountId): Promise<void> {
  await deleteOf(ctx.directory, account);
}

/** The id by which permissions name an account. */
export async function findAppwriteId(ctx: Context, account: AccountId): Promise<string> {
  return (await findIdOf(ctx.directory, account)) ?? account;
}

/** False if another account has it. */
export async function replaceAppwriteEmail(ctx: Context, account: AccountId, email: string): Promise<boolean> {
  return ctx.directory.transaction().execute(async (tx) => {
    const isNew = await insertEmail(tx, email, account);
    // An interrupted call may have inserted it already.
    if (!isNew && (await findByEmail(tx, email)) !== account) return false;
    await deleteOtherEmails(tx, account, email);
    return true;
  });
}

export async function findAppwriteAccount(ctx: Context, email: string): Promise<AccountId | undefined> {
  return findByEmail(ctx.directory, email);
}

export async function findAppwriteAccountById(ctx: Context, id: string): Promise<AccountId | undefined> {
  return findById(ctx.directory, id);
}

/** False if another account has verified it meanwhile. */
export async function proveAppwriteEmail(ctx: Context, account: AccountId, email: string): Promise<boolean> {
  return setProved(ctx.directory, email, account, ctx.clock.now());
}

/** Finds by issuer and subject, never by email address. */
export async function findAppwriteAccountOf(ctx: Context, identity: Identity): Promise<AccountId | undefined> {
  return findByIdentity(ctx.directory, identity);
}

/** Returns the account that has the identity: of two parallel calls, the first gets it. */
export async function claimAppwriteIdentity(
  ctx: Context,
  identity: Identity,
  account: AccountId,
): Promise<AccountId | undefined> {
  await insertIdentity(ctx.directory, identity, account, ctx.clock.now());
  return findByIdentity(ctx.directory, identity);
}

/** Part of removing an account. No later account gets its id. */
export async function releaseAppwriteNames(ctx: Context, account: AccountId): Promise<void> {
  await ctx.directory.transaction().execute(async (tx) => {
    await reserveIdOf(tx, account, ctx.clock.now());
    await deleteOf(tx, account);
  });
}

/** An account of the product has verified the address: an unverified `/v1` account yields it. */
export async function yieldAppwriteEmail(ctx: Context, address: string): Promise<void> {
  await deleteUnproved(ctx.directory, address);
}
