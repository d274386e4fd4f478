/**
 * Emails the owner of a `/v1` account about changes and series of failed sign-ins. Only verified addresses get these
 * emails: any caller could have entered a stranger's address.
 */
import { randomUUID } from 'node:crypto';
import type { Locale } from '@dostar/protocol/contract/accounts';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../context.ts';
import { sendNotice } from '../../features/operations/email/service.ts';
import type { AppwriteChange } from '../../features/operations/email/service.ts';
import { countFailure } from '../../features/identity/security-emails/service.ts';
import type { FailureKind } from '../../features/identity/security-emails/service.ts';
import { describeClient } from '../../features/identity/sessions/service.ts';
import { findEmailRecipient } from '../../features/people/users/service.ts';
import { findAccount } from './store.ts';
import type { AccountRow } from './store.ts';

type Owner = Pick<AccountRow, 'owner' | 'email' | 'verified_at'>;

/** `row`: the account before the change, so that the email about a new address goes to the former one. */
export async function notifyAccountChange(
  ctx: Context,
  row: Owner,
  change: AppwriteChange,
  locale: Locale,
): Promise<void> {
  if (row.verified_at === null) return;
  const data = { change, at: ctx.clock.now(), timeZone: undefined };
  await sendNotice(ctx, { id: `change ${randomUUID()}`, to: row.email, locale, template: 'service-changed', data });
}

const SERIES_TEMPLATES = { password: 'service-wrong-passwords', 'second-step': 'service-wrong-codes' } as const;

/** Counts one wrong password or code, and emails the owner about a series. Never throws. */
export async function notifyFailureSeries(
  ctx: Context,
  row: Owner,
  series: FailureKind,
  locale: Locale,
): Promise<void> {
  if (row.verified_at === null) return;
  const data = { at: ctx.clock.now(), timeZone: undefined };
  const template = SERIES_TEMPLATES[series];
  try {
    if (!(await countFailure(ctx, series, row.owner))) return;
    await sendNotice(ctx, { id: `series ${randomUUID()}`, to: row.email, locale, template, data });
  } catch (error) {
    ctx.log.warn({ err: error, template }, 'series not announced');
  }
}

interface NewSignIn {
  account: AccountId;
  session: string;
  userAgent: string;
  locale: Locale;
}

/** Also for an account of the product, in the language of that account. A sign-in continues if this fails. */
export async function notifySignIn(ctx: Context, signIn: NewSignIn): Promise<void> {
  const { account, session, userAgent, locale } = signIn;
  try {
    const row = await ctx.shards.of(account).query((db) => findAccount(db, account));
    const recipient = row
      ? row.verified_at !== null && { to: row.email, locale }
      : await findEmailRecipient(ctx, account);
    if (!recipient) return;
    const data = { device: describeClient(userAgent), at: ctx.clock.now(), timeZone: undefined };
    await sendNotice(ctx, { id: `service sign-in ${session}`, ...recipient, template: 'service-sign-in', data });
  } catch (error) {
    ctx.log.warn({ err: error }, 'sign-in not announced');
  }
}
