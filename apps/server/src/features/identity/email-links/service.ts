/**
 * Links in emails.
 *
 * Promise: a link works once, the server stores only its hash, and guessing is rate-limited.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Locale } from '@dostar/protocol/contract/accounts';
import { EMAIL_LINK_LIFETIME_MS } from '@dostar/protocol/contract/email-links';
import type { EmailLinkPurpose } from '@dostar/protocol/contract/email-links';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import {
  deleteLinksBefore,
  deleteLinksOf,
  setLinksExpired,
  findLink,
  insertLink,
  markLinkUsed,
  markLinkUnused,
} from './store.ts';

const TOKEN_BYTES = 32;
/** Expired links are kept, so that the page can say that the link has expired. */
const EXPIRED_LINK_RETENTION_MS = 7 * 24 * 3_600_000;
const LINKS_PER_ADDRESS: RateLimit = { name: 'links-address', points: 120, perSeconds: 900, scope: 'shared' };

export interface EmailLink {
  purpose: EmailLinkPurpose;
  account: AccountId;
  address: string;
  /** For a link to the old address of an email change: the new address, the only one that the link confirms. */
  newAddress?: string | undefined;
  locale: Locale;
}

/** Returns the token, which is only in the email. */
export async function mintLink(ctx: Context, link: EmailLink, directory = ctx.directory): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const now = ctx.clock.now();
  const expiresAt = now + EMAIL_LINK_LIFETIME_MS[link.purpose];
  await insertLink(directory, { ...link, tokenHash: hashToken(token), createdAt: now, expiresAt });
  return token;
}

/** Throws if the link can't be used. A made-up token looks like an expired one, so it reveals nothing. */
export async function requireLink(ctx: Context, token: string, address: string): Promise<EmailLink> {
  await ctx.limits.charge(LINKS_PER_ADDRESS, address);
  const link = await findLink(ctx.directory, hashToken(token));
  if (link && link.usedAt !== null) throw new AppError('link_used');
  if (!link || link.expiresAt <= ctx.clock.now()) throw new AppError('link_expired');
  const newAddress = link.newAddress ?? undefined;
  return { ...link, newAddress, account: link.account as AccountId, locale: link.locale as Locale };
}

/** Marks the link used and runs the task. If the task fails, the link can be used again. */
export async function useLink<T>(ctx: Context, token: string, task: () => Promise<T>): Promise<T> {
  const tokenHash = hashToken(token);
  if (!(await markLinkUsed(ctx.directory, tokenHash, ctx.clock.now()))) throw new AppError('link_used');
  try {
    return await task();
  } catch (error) {
    await markLinkUnused(ctx.directory, tokenHash);
    throw error;
  }
}

/** Expires the unused links of the account. */
export async function expireLinks(
  ctx: Context,
  account: AccountId,
  purposes: EmailLinkPurpose[],
  directory = ctx.directory,
): Promise<void> {
  await setLinksExpired(directory, account, purposes, ctx.clock.now());
}

export async function removeLinksOf(ctx: Context, account: AccountId): Promise<void> {
  await deleteLinksOf(ctx.directory, account);
}

export async function purgeLinks(ctx: Context): Promise<void> {
  await deleteLinksBefore(ctx.directory, ctx.clock.now() - EXPIRED_LINK_RETENTION_MS);
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
