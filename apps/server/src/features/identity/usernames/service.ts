import { randomInt } from 'node:crypto';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import { isUniqueViolation } from '../../../platform/postgres/pools.ts';
import {
  findAccountNamed,
  findUsernameOf,
  freeUsername,
  insertUsername,
  isUsernameFree,
  lockUsernameOf,
} from './store.ts';
import { ADJECTIVES, ANIMALS } from './words.ts';

/** Thirty million combinations: with twenty million taken, twenty tries still find one. */
const MAX_ATTEMPTS = 20;
const QUARANTINE_MS = 90 * 24 * 3_600_000;

/** The account's username. Generates one (adjective, animal, four digits) if it has none. */
export async function requireUsername(ctx: Context, account: AccountId): Promise<string> {
  const known = await findUsernameOf(ctx.directory, account);
  if (known !== undefined) return known;
  for (let tries = 0; tries < MAX_ATTEMPTS; tries += 1) {
    const name = generateUsername();
    const isMine = await insertUsername(ctx.directory, name, account, ctx.clock.now()).catch(isDoubleClaim);
    if (isMine) return (await findUsernameOf(ctx.directory, account)) ?? name;
  }
  throw new AppError('unavailable');
}

/** `name`: the whole username, as parsed by `Username`. */
export async function findAccountByUsername(ctx: Context, name: string): Promise<AccountId | undefined> {
  return findAccountNamed(ctx.directory, name);
}

export async function findUsername(ctx: Context, account: AccountId): Promise<string | undefined> {
  return findUsernameOf(ctx.directory, account);
}

/** Whether `account` could take the name, or has it already. */
export async function canClaimUsername(ctx: Context, account: AccountId, name: string): Promise<boolean> {
  if (await isUsernameFree(ctx.directory, name, ctx.clock.now())) return true;
  return (await findAccountNamed(ctx.directory, name)) === account;
}

/**
 * Quarantines the former name in the transaction that takes the new one, so the account always has a name. If another
 * account takes the new name first, this one keeps its own. Idempotent.
 */
export async function claimUsername(ctx: Context, account: AccountId, name: string): Promise<void> {
  if ((await findUsernameOf(ctx.directory, account)) === name) return;
  const now = ctx.clock.now();
  await ctx.directory.transaction().execute(async (tx) => {
    await lockUsernameOf(tx, account);
    await freeUsername(tx, account, now + QUARANTINE_MS);
    if (!(await insertUsername(tx, name, account, now))) throw new AppError('username_taken');
  });
}

/** Reserved for ninety days, against impersonation. The name of an incomplete account is free at once. */
export async function releaseUsername(ctx: Context, account: AccountId, wasUsed: boolean): Promise<void> {
  await freeUsername(ctx.directory, account, ctx.clock.now() + (wasUsed ? QUARANTINE_MS : 0));
}

/** Another call has just given the same account a name. */
function isDoubleClaim(error: unknown): true {
  if (isUniqueViolation(error)) return true;
  throw error;
}

function generateUsername(): string {
  const adjective = ADJECTIVES[randomInt(ADJECTIVES.length)];
  const animal = ANIMALS[randomInt(ANIMALS.length)];
  return `${adjective}${animal}${randomInt(1000, 10_000)}`;
}
