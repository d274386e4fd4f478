import type { eraseMessage as eraseContract, sendMessage as sendContract } from '@dostar/protocol/contract/messages';
import { AppError } from '@dostar/protocol/errors';
import { directChat } from '@dostar/protocol/ids';
import type { AccountId } from '@dostar/protocol/ids';
import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import { listContactStatuses } from '../../people/contacts/service.ts';
import { countMessage } from '../../operations/public-stats/service.ts';
import { deliver, eraseOwnCopy } from './deliver.ts';
import type { Delivered } from './deliver.ts';
import { requireHead } from './service.ts';

type Send = z.output<(typeof sendContract)['body']>;
type Erase = z.output<(typeof eraseContract)['body']>;

export async function sendMessage(ctx: Context, from: AccountId, send: Send): Promise<Delivered> {
  const { id, to, body, rings, devices } = send;
  const sealed = Buffer.from(body, 'base64url');
  const delivered = await deliver(ctx, { from, to, id, body: sealed, rings, ...(devices && { devices }) });
  if (delivered.state === 'new') countMessage(ctx);
  return delivered;
}

/** Throws the error that would refuse a message for good. A declined request is no such error: it stays private (SPEC W5). */
export async function checkRecipient(ctx: Context, from: AccountId, to: AccountId): Promise<void> {
  await requireHead(ctx, to);
  if ((await listContactStatuses(ctx, from, [to])).get(to) === 'blocked') throw new AppError('blocked');
}

/** From the caller's own mailbox anything; from another's only what the caller sent there (SPEC M5). */
export async function eraseMessage(ctx: Context, from: AccountId, erase: Erase): Promise<{ seq: number }> {
  const { id, chat, target, everywhere, proof } = erase;
  if (everywhere === undefined) return { seq: await eraseOwnCopy(ctx, from, { id, chat, target, proof }) };
  if (target.sender !== from || directChat(from, everywhere) !== chat) throw new AppError('forbidden');
  return deliver(ctx, { from, to: everywhere, id, body: null, rings: false, erases: target });
}
