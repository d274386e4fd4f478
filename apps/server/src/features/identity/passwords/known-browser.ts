/**
 * A browser that has signed in before, recognized by a cookie of its own.
 *
 * Attempts are limited per account and per address, so an attacker could use up the owner's. A known browser has a limit of
 * its own.
 */
import { randomUUID } from 'node:crypto';
import { AccountId } from '@dostar/protocol/ids';
import { z } from 'zod';
import type { Context } from '../../../context.ts';

export const KNOWN_BROWSER_LIFETIME_MS = 365 * 24 * 3_600_000;
const CONTEXT = 'known browser';
const MAX_ACCOUNTS = 5;

const Known = z.object({ browser: z.uuid(), accounts: z.array(AccountId) });
export type KnownBrowser = z.infer<typeof Known>;

/** Undefined for a browser that has never signed in, and for a cookie that is not ours. */
export function readKnownBrowser(ctx: Context, cookie: string | undefined): KnownBrowser | undefined {
  return cookie === undefined ? undefined : Known.safeParse(ctx.sealer.open(CONTEXT, cookie)).data;
}

/** Returns the new cookie of this browser. */
export function rememberBrowser(ctx: Context, cookie: string | undefined, account: AccountId): string {
  const { browser, accounts } = readKnownBrowser(ctx, cookie) ?? { browser: randomUUID(), accounts: [] };
  const newest = [account, ...accounts.filter((other) => other !== account)].slice(0, MAX_ACCOUNTS);
  return ctx.sealer.seal(CONTEXT, { browser, accounts: newest });
}
