/** The names by which `/v1` knows accounts, each given once. */
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../context.ts';
import {
  deleteOf,
  deleteOtherEmails,
  deleteUnproved,
  findByEmail,
  findById,
  findByIdentity,
  insertEmail,
  insertIdentity,
  insertUser,
  setProved,
} from './store.ts';
import type { Identity } from './store.ts';

/** False if somebody has the id or the address. */
export async function claimServiceNames(
  ctx: Context,
  account: AccountId,
  { id, email }: { id: string; email: string },
): Promise<boolean> {
  return ctx.directory.transaction().execute(async (tx) => {
    if ((await insertUser(tx, id, account)) && (await insertEmail(tx, email, account))) return true;
    await deleteOf(tx, account);
    return false;
  });
}

/** False if somebody else has it. */
export async function replaceServiceEmail(ctx: Context, account: AccountId, email: string): Promise<boolean> {
  return ctx.directory.transaction().execute(async (tx) => {
    const isNew = await insertEmail(tx, email, account);
    // Done before by a try that was cut off.
    if (!isNew && (await findByEmail(tx, email)) !== account) return false;
    await deleteOtherEmails(tx, account, email);
    return true;
  });
}

export async function findServiceAccount(ctx: Context, email: string): Promise<AccountId | undefined> {
  return findByEmail(ctx.directory, email);
}

export async function findServiceAccountById(ctx: Context, id: string): Promise<AccountId | undefined> {
  return findById(ctx.directory, id);
}

/** False if somebody else has proved it meanwhile. */
export async function proveServiceEmail(ctx: Context, account: AccountId, email: string): Promise<boolean> {
  return setProved(ctx.directory, email, account, ctx.clock.now());
}

/** Whom a provider vouches for, by issuer and subject, never by their address. */
export async function findServiceAccountOf(ctx: Context, identity: Identity): Promise<AccountId | undefined> {
  return findByIdentity(ctx.directory, identity);
}

/** Whose it is now: of two at once the first. */
export async function claimServiceIdentity(
  ctx: Context,
  identity: Identity,
  account: AccountId,
): Promise<AccountId | undefined> {
  await insertIdentity(ctx.directory, identity, account, ctx.clock.now());
  return findByIdentity(ctx.directory, identity);
}

/** Part of removing an account. */
export async function releaseServiceNames(ctx: Context, account: AccountId): Promise<void> {
  await deleteOf(ctx.directory, account);
}

/** Somebody proved the address: who only wrote it down at `/v1` yields it. */
export async function yieldServiceEmail(ctx: Context, address: string): Promise<void> {
  await deleteUnproved(ctx.directory, address);
}
