/**
 * Tells the owner of a `/v1` account by email what has changed. Only a proved address gets such emails: another may be a
 * stranger's, whom anybody could have filled in.
 */
import { randomUUID } from 'node:crypto';
import type { Locale } from '@dostar/protocol/contract/accounts';
import type { Context } from '../../context.ts';
import { sendNotice } from '../../features/mail/service.ts';
import type { ServiceChange } from '../../features/mail/service.ts';
import type { AccountRow } from './store.ts';

/** `row`: as the account was before the change, so that a former address is told of a new one. */
export async function tellServiceChange(
  ctx: Context,
  row: Pick<AccountRow, 'email' | 'verified_at'>,
  change: ServiceChange,
  locale: Locale,
): Promise<void> {
  if (row.verified_at === null) return;
  const data = { change, at: ctx.clock.now(), timeZone: undefined };
  await sendNotice(ctx, { id: `change ${randomUUID()}`, to: row.email, locale, template: 'service-changed', data });
}
