/**
 * A forgotten password.
 *
 * Promise: whoever reads the letter can sign in, and that is all. No session ends, so a device of the owner can still
 * object; no key is given, so nobody reads anything by owning a mailbox; what the old password opened stays for a month.
 */
import { randomUUID } from 'node:crypto';
import type { Locale } from '@dostar/protocol/contract/accounts';
import { Email, Locale as AnyLocale } from '@dostar/protocol/contract/accounts';
import type * as contract from '@dostar/protocol/contract/recovery';
import { LINK_LIVES_MS } from '@dostar/protocol/contract/links';
import { KEPT_FOR_UNLOCKING_MS } from '@dostar/protocol/contract/unlocking';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { JobKind } from '../../../platform/bus/jobs.ts';
import type { Limit } from '../../../platform/concurrency/rate-limits.ts';
import { findAccount, findWholeAccount } from '../accounts/service.ts';
import { expireLinks, mintLink, requireLink, useLink } from '../email-links/service.ts';
import type { Link } from '../email-links/service.ts';
import { sendMail, sendNotice } from '../../operations/email/service.ts';
import { announceNews } from '../../messaging/mailbox/service.ts';
import { findRecovery, putReset, setPasswordAside } from './recovery-store.ts';
import { requireSetup } from './service.ts';
import { findRecord, putRecord } from './store.ts';
import type { OpaqueRecord } from './store.ts';

const HOUR = 3600;
const ASKS_PER_EMAIL: Limit = { name: 'recovery-email', points: 3, perSeconds: HOUR, scope: 'shared' };
const ASKS_PER_ADDRESS: Limit = { name: 'recovery-address', points: 20, perSeconds: HOUR, scope: 'shared' };

interface Ask {
  email: string;
  locale: Locale;
}

/** Done by the worker: for a stranger, an address with an account and one without take the same time. */
export const recoveryJob: JobKind<Ask> = { name: 'recovery', payload: z.object({ email: Email, locale: AnyLocale }) };

export async function askRecovery(ctx: Context, ask: Ask, address: string): Promise<void> {
  await ctx.limits.charge(ASKS_PER_ADDRESS, address);
  await findAccount(ctx, ask.email, address);
  await ctx.limits.charge(ASKS_PER_EMAIL, ask.email);
  await ctx.jobs.publish(recoveryJob, ask, { id: randomUUID() });
}

export async function sendRecovery(ctx: Context, id: string, { email, locale }: Ask): Promise<void> {
  const account = await findWholeAccount(ctx, email);
  if (account === undefined) return;
  const { record, recovery } = await ctx.shards.of(account).query(async (db) => ({
    record: await findRecord(db, account),
    recovery: await findRecovery(db, account),
  }));
  if ((recovery?.closedUntil ?? 0) > ctx.clock.now()) return;
  const mail = { id: `recovery ${id}`, to: email, locale };
  if (!record) {
    await sendMail(ctx, { ...mail, template: 'use-google', data: {} });
    return;
  }
  const token = await mintLink(ctx, { purpose: 'recovery', account, address: email, locale });
  const minutes = LINK_LIVES_MS.recovery / 60_000;
  await sendMail(ctx, { ...mail, template: 'recovery', data: { path: `/reset-password#${token}`, minutes } });
}

export async function startReset(ctx: Context, token: string, request: string, address: string) {
  const { account } = await requireRecoveryLink(ctx, token, address);
  return { response: ctx.opaque.answerRegistration(account, request), setup: ctx.opaque.setup };
}

type Reset = z.output<(typeof contract.finishReset)['body']>;

/** The address, with which the new password signs in. */
export async function finishReset(ctx: Context, { token, record, setup }: Reset, address: string): Promise<string> {
  const registered = { record, setup: requireSetup(ctx, setup) };
  const link = await requireRecoveryLink(ctx, token, address);
  await useLink(ctx, token, () => replacePassword(ctx, link.account, registered));
  const now = ctx.clock.now();
  await expireLinks(ctx, link.account, ['recovery']);
  const { address: to, locale } = link;
  const data = { at: now, timeZone: undefined };
  await sendNotice(ctx, { id: `reset ${randomUUID()}`, to, locale, template: 'password-changed', data });
  announceNews(ctx, link.account);
  return link.address;
}

async function replacePassword(ctx: Context, account: AccountId, registered: OpaqueRecord): Promise<void> {
  const now = ctx.clock.now();
  await ctx.shards.follow(() =>
    ctx.shards.of(account).write(account, async (db) => {
      const recovery = await findRecovery(db, account);
      if ((recovery?.closedUntil ?? 0) > now) throw new AppError('link_expired');
      const isFirst = await setPasswordAside(db, account, now, now + KEPT_FOR_UNLOCKING_MS);
      await putRecord(db, account, registered, now);
      await putReset(db, account, now, isFirst);
    }),
  );
}

async function requireRecoveryLink(ctx: Context, token: string, address: string): Promise<Link> {
  const link = await requireLink(ctx, token, address);
  if (link.purpose !== 'recovery') throw new AppError('link_expired');
  return link;
}
