/**
 * Resets a forgotten password by email.
 *
 * Promise: the link in the email lets its reader sign in, and nothing more. No session ends, so a device of the owner can
 * still lock the account; no key is given, so owning the email account decrypts nothing.
 */
import { randomUUID } from 'node:crypto';
import type { Locale } from '@dostar/protocol/contract/accounts';
import { Email, Locale as AnyLocale } from '@dostar/protocol/contract/accounts';
import type * as contract from '@dostar/protocol/contract/recovery';
import { EMAIL_LINK_LIFETIME_MS } from '@dostar/protocol/contract/email-links';
import { AppError } from '@dostar/protocol/errors';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { JobKind } from '../../../platform/bus/jobs.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { findAccount, findCompleteAccount } from '../accounts/service.ts';
import { expireLinks, mintLink, requireLink, useLink } from '../email-links/service.ts';
import type { EmailLink } from '../email-links/service.ts';
import { sendEmail, sendNotice } from '../../operations/email/service.ts';
import { publishAlert } from '../../messaging/mailbox/service.ts';
import { findResetState, replaceResetPassword, requireSetup } from '../passwords/service.ts';

const HOUR = 3600;
const REQUESTS_PER_EMAIL: RateLimit = { name: 'recovery-email', points: 3, perSeconds: HOUR, scope: 'shared' };
const REQUESTS_PER_ADDRESS: RateLimit = { name: 'recovery-address', points: 20, perSeconds: HOUR, scope: 'shared' };

interface RecoveryRequest {
  email: string;
  locale: Locale;
}

/** Done by the worker, so the response time does not reveal whether the address has an account. */
export const recoveryJob: JobKind<RecoveryRequest> = {
  name: 'recovery',
  payload: z.object({ email: Email, locale: AnyLocale }),
};

export async function requestPasswordReset(
  ctx: Context,
  recoveryRequest: RecoveryRequest,
  address: string,
): Promise<void> {
  await ctx.limits.charge(REQUESTS_PER_ADDRESS, address);
  await findAccount(ctx, recoveryRequest.email, address);
  await ctx.limits.charge(REQUESTS_PER_EMAIL, recoveryRequest.email);
  await ctx.jobs.publish(recoveryJob, recoveryRequest, { id: randomUUID() });
}

export async function sendRecoveryEmail(ctx: Context, id: string, { email, locale }: RecoveryRequest): Promise<void> {
  const account = await findCompleteAccount(ctx, email);
  if (account === undefined) return;
  const { hasPassword, isLocked } = await findResetState(ctx, account);
  if (isLocked) return;
  const mail = { id: `recovery ${id}`, to: email, locale };
  if (!hasPassword) {
    await sendEmail(ctx, { ...mail, template: 'use-google', data: {} });
    return;
  }
  const token = await mintLink(ctx, { purpose: 'recovery', account, address: email, locale });
  const minutes = EMAIL_LINK_LIFETIME_MS.recovery / 60_000;
  await sendEmail(ctx, { ...mail, template: 'recovery', data: { path: `/reset-password#${token}`, minutes } });
}

export async function startPasswordReset(ctx: Context, token: string, request: string, address: string) {
  const { account } = await requireRecoveryLink(ctx, token, address);
  return { response: ctx.opaque.answerRegistration(account, request), setup: ctx.opaque.setup };
}

type Reset = z.output<(typeof contract.finishPasswordReset)['body']>;

/** Returns the email address to sign in with. */
export async function finishPasswordReset(
  ctx: Context,
  { token, record, setup }: Reset,
  address: string,
): Promise<string> {
  const registered = { record, setup: requireSetup(ctx, setup) };
  const link = await requireRecoveryLink(ctx, token, address);
  await useLink(ctx, token, () => replaceResetPassword(ctx, link.account, registered));
  const now = ctx.clock.now();
  await expireLinks(ctx, link.account, ['recovery']);
  const { address: to, locale } = link;
  const data = { at: now, timeZone: undefined };
  await sendNotice(ctx, { id: `reset ${randomUUID()}`, to, locale, template: 'password-changed', data });
  publishAlert(ctx, link.account);
  return link.address;
}

async function requireRecoveryLink(ctx: Context, token: string, address: string): Promise<EmailLink> {
  const link = await requireLink(ctx, token, address);
  if (link.purpose !== 'recovery') throw new AppError('link_expired');
  return link;
}
