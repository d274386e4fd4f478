/**
 * The email address of an account, and how it changes.
 *
 * Promise: the address changes once both the old and the new one have confirmed, so neither a stolen session nor a
 * stolen mailbox alone takes over an account.
 *
 * Order matters at the end: the directory first, because it decides who owns the address, then the user document, which
 * only repeats it and is repaired by the next confirmation of the same link.
 */
import { randomUUID } from 'node:crypto';
import type { Locale } from '@dostar/protocol/contract/accounts';
import { EMAIL_LINK_LIFETIME_MS } from '@dostar/protocol/contract/email-links';
import type { EmailLinkPurpose } from '@dostar/protocol/contract/email-links';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { isUniqueViolation } from '../../../platform/postgres/pools.ts';
import { expireLinks, mintLink, requireLink, useLink } from '../email-links/service.ts';
import type { EmailLink } from '../email-links/service.ts';
import { sendEmail, sendNotice } from '../../operations/email/service.ts';
import { setUserEmail } from '../../people/users/service.ts';
import { describeEmailOf, findAccountByEmail, replaceEmail } from '../accounts/service.ts';
import { confirmChange, deleteChangesOf, findChange, putChange } from './store.ts';

export { deleteExpiredChanges } from './store.ts';

const CHANGES: RateLimit = { name: 'email-changes', points: 5, perSeconds: 3600, scope: 'shared' };
const CHANGES_TO: RateLimit = { name: 'email-changes-to', points: 5, perSeconds: 3600, scope: 'shared' };
const CHANGE_LINKS: EmailLinkPurpose[] = ['email-old', 'email-new'];

export async function getEmail(ctx: Context, account: AccountId) {
  const [known, change] = await Promise.all([
    describeEmailOf(ctx, account),
    findChange(ctx.directory, account, ctx.clock.now()),
  ]);
  return {
    email: known?.address ?? null,
    change: change
      ? {
          address: change.address,
          isOldConfirmed: change.oldAt !== null,
          isNewConfirmed: change.newAt !== null,
          expiresAt: change.expiresAt,
        }
      : null,
  };
}

export async function startEmailChange(
  ctx: Context,
  account: AccountId,
  { email, locale }: { email: string; locale: Locale },
): Promise<void> {
  await ctx.limits.charge(CHANGES, account);
  await ctx.limits.charge(CHANGES_TO, email);
  const known = await describeEmailOf(ctx, account);
  if (known?.address === email) throw new AppError('email_taken');
  const isTaken = (await findAccountByEmail(ctx.directory, email)) !== undefined;
  if (isTaken && !ctx.policy.hidesAccounts) throw new AppError('email_taken');
  const { oldAddressToken, newAddressToken } = await createEmailChange(ctx, {
    account,
    from: known?.address,
    to: email,
    isTaken,
    locale,
  });
  const minutes = EMAIL_LINK_LIFETIME_MS['email-new'] / 60_000;
  if (known && oldAddressToken !== undefined) {
    const data = { path: `/verify#${oldAddressToken}`, minutes, newAddress: email };
    await sendEmail(ctx, { id: mailId(), to: known.address, locale, template: 'email-change-old', data });
  }
  // Where accounts are hidden, the owner of a taken address learns of the attempt; the caller learns nothing.
  if (newAddressToken === undefined) {
    await sendEmail(ctx, { id: mailId(), to: email, locale, template: 'already-here', data: {} });
    return;
  }
  const data = { path: `/verify#${newAddressToken}`, minutes };
  await sendEmail(ctx, { id: mailId(), to: email, locale, template: 'email-change-new', data });
}

interface NewEmailChange {
  account: AccountId;
  from: string | undefined;
  to: string;
  /** Another account has the address. The change is started anyway and can't be finished, so the caller learns nothing. */
  isTaken: boolean;
  locale: Locale;
}

/**
 * Stores the change and its links in one transaction. The row comes first and is locked: of two parallel changes, the
 * second expires the links of the first, so no link confirms an address other than its own.
 */
async function createEmailChange(ctx: Context, { account, from, to, isTaken, locale }: NewEmailChange) {
  const createdAt = ctx.clock.now();
  return ctx.directory.transaction().execute(async (directory) => {
    await putChange(directory, account, {
      address: to,
      createdAt,
      expiresAt: createdAt + EMAIL_LINK_LIFETIME_MS['email-new'],
    });
    await expireLinks(ctx, account, CHANGE_LINKS, directory);
    const mint = (link: Pick<EmailLink, 'purpose' | 'address' | 'newAddress'>): Promise<string> =>
      mintLink(ctx, { ...link, account, locale }, directory);
    return {
      oldAddressToken:
        from === undefined ? undefined : await mint({ purpose: 'email-old', address: from, newAddress: to }),
      newAddressToken: isTaken ? undefined : await mint({ purpose: 'email-new', address: to }),
    };
  });
}

export async function cancelEmailChange(ctx: Context, account: AccountId): Promise<void> {
  await expireLinks(ctx, account, CHANGE_LINKS);
  await deleteEmailChangesOf(ctx, account);
}

export async function deleteEmailChangesOf(ctx: Context, account: AccountId): Promise<void> {
  await deleteChangesOf(ctx.directory, account);
}

/** Called when the person presses the button behind the link. */
export async function confirmEmailChange(ctx: Context, token: string, address: string) {
  const link = await requireLink(ctx, token, address);
  const isOld = link.purpose === 'email-old';
  const to = isOld ? link.newAddress : link.address;
  if (link.purpose === 'recovery' || to === undefined) throw new AppError('link_expired');
  const requested = { account: link.account, address: to };
  return useLink(ctx, token, async () => {
    const change = await confirmChange(ctx.directory, requested, isOld ? 'old_at' : 'new_at', ctx.clock.now());
    if (!change) throw new AppError('link_expired');
    const before = await describeEmailOf(ctx, link.account);
    const isOldConfirmed = change.oldAt !== null || before === undefined;
    if (!isOldConfirmed || change.newAt === null) return { result: 'half' as const, address: change.address };
    await changeEmail(ctx, link.account, change.address);
    if (before) {
      const data = { newAddress: change.address };
      await sendNotice(ctx, { id: mailId(), to: before.address, locale: link.locale, template: 'email-changed', data });
    }
    return { result: 'changed' as const, address: change.address };
  });
}

async function changeEmail(ctx: Context, account: AccountId, email: string): Promise<void> {
  await replaceEmail(ctx.directory, account, email, ctx.clock.now()).catch((error: unknown) => {
    throw isUniqueViolation(error) ? new AppError('email_taken') : error;
  });
  await setUserEmail(ctx, account, email);
  await deleteEmailChangesOf(ctx, account);
}

function mailId(): string {
  return `email change ${randomUUID()}`;
}
