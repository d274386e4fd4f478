import { AppError, ERRORS, type ErrorCode } from '@dostar/protocol/errors';
import { AccountId, ChatId, MessageId } from '@dostar/protocol/ids';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Job } from '../storage/rows.ts';
import {
  chooseJobs,
  IDLE_QUEUE,
  type ChatQueue,
  queueAfterFailure,
  queueAfterNudge,
  retryPolicyOf,
} from './chat-queues.ts';

const NOW = 1_000;

test('S8: a chat with a job in flight starts no other', () => {
  const queues = new Map([[chat(1), { ...IDLE_QUEUE, isBusy: true }]]);
  expect(chooseJobs([job(1)], queues, NOW)).toEqual({ start: [] });
});

test('chats run in parallel, up to a limit', () => {
  const nextJobs = Array.from({ length: 20 }, (_, index) => job(index));
  const { start } = chooseJobs(nextJobs, new Map(), NOW);
  expect(start.length).toBeGreaterThan(1);
  expect(start.length).toBeLessThan(20);
});

test('a waiting chat delays no other and says when it may try again', () => {
  const queues = new Map([[chat(1), { ...IDLE_QUEUE, notBefore: NOW + 250 }]]);
  expect(chooseJobs([job(1), job(2)], queues, NOW)).toEqual({ start: [job(2)], waitMs: 250 });
});

test('the chat that was served longest ago goes first', () => {
  const queues = new Map(Array.from({ length: 20 }, (_, n) => [chat(n), { ...IDLE_QUEUE, servedAt: 20 - n }] as const));
  const { start } = chooseJobs([job(3), job(19), job(7)], queues, NOW);
  expect(start).toEqual([job(19), job(7), job(3)]);
});

test('never more jobs in flight than the limit, whatever the queues', () => {
  const queue = fc.record<ChatQueue>({
    isBusy: fc.boolean(),
    failures: fc.nat(5),
    notBefore: fc.nat(2_000),
    askedUntil: fc.nat(2_000),
    servedAt: fc.nat(2_000),
  });
  fc.assert(
    fc.property(fc.array(queue, { maxLength: 30 }), (drawn) => {
      const queues = new Map(drawn.map((one, index) => [chat(index), one]));
      const nextJobs = drawn.map((_, index) => job(index));
      const { start, waitMs } = chooseJobs(nextJobs, queues, NOW);
      const busy = drawn.filter(({ isBusy }) => isBusy).length;
      expect(start.length).toBeLessThanOrEqual(Math.max(0, 6 - busy));
      for (const one of start) expect(queues.get(one.chat)?.isBusy).toBe(false);
      expect(waitMs ?? 1).toBeGreaterThan(0);
    }),
  );
});

test('a failure lengthens the random delay of the next try', () => {
  const once = queueAfterFailure({ ...IDLE_QUEUE, isBusy: true }, new AppError('unavailable'), NOW, 0.5);
  const twice = queueAfterFailure(once, new AppError('unavailable'), NOW, 0.5);
  expect(once).toMatchObject({ isBusy: false, failures: 1 });
  expect(twice.notBefore - NOW).toBe(2 * (once.notBefore - NOW));
});

test('a retry never comes before the time that the server asked for', () => {
  const limited = new AppError('rate_limited', { retryAfterMs: 7_000 });
  expect(queueAfterFailure(IDLE_QUEUE, limited, NOW, 0.5).notBefore).toBe(NOW + 7_000);
});

test("B3: a nudge ends the client's own backoff, but not a wait that the server asked for", () => {
  const lost = queueAfterFailure(IDLE_QUEUE, new AppError('unavailable'), NOW, 0.5);
  const limited = queueAfterFailure(IDLE_QUEUE, new AppError('rate_limited', { retryAfterMs: 7_000 }), NOW, 0.5);
  expect(queueAfterNudge(lost).notBefore).toBeLessThanOrEqual(NOW);
  expect(queueAfterNudge(limited).notBefore).toBe(NOW + 7_000);
});

test("H5: the protocol's table decides for every code", () => {
  for (const code of Object.keys(ERRORS) as ErrorCode[]) expect(retryPolicyOf(code)).toBe(ERRORS[code].retry);
});

function chat(n: number): ChatId {
  return ChatId.parse(`00000000-0000-8000-8000-${n.toString(16).padStart(12, '0')}`);
}

function job(n: number): Job {
  const id = MessageId.parse(chat(n));
  return { kind: 'send', pos: n, chat: chat(n), id, to: AccountId.parse(id), rings: true };
}
