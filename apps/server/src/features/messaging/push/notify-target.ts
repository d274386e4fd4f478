/** Sends one device a push for each chat with something new for it. */
import type { ChatId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { PushOutcome } from '../../../platform/delivery/push-outcome.ts';
import type { PushResult, Unread } from './due-store.ts';
import { tagOf, topicOf, writePayload } from './payload.ts';
import { sendPush } from './send.ts';
import type { TargetRow } from './store.ts';

/** A device that was off for a week is not flooded when it comes back. */
const MAX_CHATS = 5;
const TTL_SECONDS = 2 * 24 * 3_600;
const FIRST_RETRY_MS = 5_000;
const MAX_RETRY_MS = 3_600_000;
const MAX_WAIT_MS = 24 * 3_600_000;
/** In a row: each is our fault or the subscription's, for example if it was made for another key. */
const MAX_REFUSALS = 5;

interface PushCandidate {
  target: TargetRow;
  unread: Unread;
}

/** Chats with something new since the device's last push, the oldest first. */
export function listNewChats({ target, unread }: PushCandidate): Unread['chats'] {
  const unpushed = unread.chats.filter(({ at }) => at > target.told_seq);
  return unpushed.toSorted((a, b) => a.at - b.at).slice(-MAX_CHATS);
}

/** In the order of their numbers, so that a push that was accepted before a failure is not sent again. */
export async function notifyTarget(ctx: Context, waiting: PushCandidate): Promise<PushResult> {
  const { target, unread } = waiting;
  const total = unread.chats.reduce((sum, { count }) => sum + count, 0);
  let upTo = target.told_seq;
  for (const { chat, at } of listNewChats(waiting)) {
    const outcome = await send(ctx, target, { chat, at, total });
    if (outcome.kind !== 'sent') return scheduleRetry(ctx, waiting, upTo, outcome);
    upTo = at;
  }
  return nothingToSend(waiting);
}

/** The device needs no push, or has got all of them. */
export function nothingToSend({ target, unread }: PushCandidate): PushResult {
  const { owner, device, address } = target;
  return { owner, device, address, upTo: unread.lastSeq, failures: 0, refusals: 0, retryAt: 0, isGone: false };
}

async function send(
  ctx: Context,
  target: TargetRow,
  { chat, at, total }: { chat: ChatId; at: number; total: number },
): Promise<PushOutcome> {
  const { tag_key: tagKey, locale } = target;
  // Firebase can read the payload, so it does not learn how much is unread.
  const n = target.kind === 'web' ? total : 0;
  const payload = { v: 1, kind: 'message', id: tagOf(tagKey, chat), n, at } as const;
  const body = writePayload(payload, { locale, origin: ctx.origin });
  const push = { body, topic: topicOf(tagKey, chat), urgency: 'high', ttlSeconds: TTL_SECONDS } as const;
  return sendPush(ctx, target, push, 'message');
}

function scheduleRetry(ctx: Context, { target }: PushCandidate, upTo: number, outcome: PushOutcome): PushResult {
  const { owner, device, address } = target;
  const before = upTo > target.told_seq ? { failures: 0, refusals: 0 } : target;
  const failures = before.failures + 1;
  const refusals = before.refusals + (outcome.kind === 'refused' ? 1 : 0);
  const isGone = outcome.kind === 'gone' || refusals >= MAX_REFUSALS;
  const asked = outcome.kind === 'later' ? (outcome.afterMs ?? 0) : 0;
  const growing = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1));
  const wait = Math.min(MAX_WAIT_MS, Math.max(asked, growing));
  return { owner, device, address, upTo, failures, refusals, retryAt: ctx.clock.now() + wait, isGone };
}
