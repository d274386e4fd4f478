import { AppError, ERRORS, type ErrorCode } from '@dostar/protocol/errors';
import { AccountId, ChatId, MessageId } from '@dostar/protocol/ids';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Job } from '../storage/rows.ts';
import { chooseJobs, IDLE_LANE, type Lane, laneAfterFailure, laneAfterNudge, verdictOf } from './lanes.ts';

const NOW = 1_000;

test('S8: a chat with a job in flight starts no other', () => {
  const lanes = new Map([[chat(1), { ...IDLE_LANE, isBusy: true }]]);
  expect(chooseJobs([job(1)], lanes, NOW)).toEqual({ start: [] });
});

test('chats go beside each other, up to a bound', () => {
  const heads = Array.from({ length: 20 }, (_, index) => job(index));
  const { start } = chooseJobs(heads, new Map(), NOW);
  expect(start.length).toBeGreaterThan(1);
  expect(start.length).toBeLessThan(20);
});

test('a chat that waits holds up no other and says when it may try again', () => {
  const lanes = new Map([[chat(1), { ...IDLE_LANE, notBefore: NOW + 250 }]]);
  expect(chooseJobs([job(1), job(2)], lanes, NOW)).toEqual({ start: [job(2)], waitMs: 250 });
});

test('the chat that was served longest ago goes first', () => {
  const lanes = new Map(Array.from({ length: 20 }, (_, n) => [chat(n), { ...IDLE_LANE, servedAt: 20 - n }] as const));
  const { start } = chooseJobs([job(3), job(19), job(7)], lanes, NOW);
  expect(start).toEqual([job(19), job(7), job(3)]);
});

test('never more in flight than the bound, whatever the lanes', () => {
  const lane = fc.record<Lane>({
    isBusy: fc.boolean(),
    failures: fc.nat(5),
    notBefore: fc.nat(2_000),
    askedUntil: fc.nat(2_000),
    servedAt: fc.nat(2_000),
  });
  fc.assert(
    fc.property(fc.array(lane, { maxLength: 30 }), (drawn) => {
      const lanes = new Map(drawn.map((one, index) => [chat(index), one]));
      const heads = drawn.map((_, index) => job(index));
      const { start, waitMs } = chooseJobs(heads, lanes, NOW);
      const busy = drawn.filter(({ isBusy }) => isBusy).length;
      expect(start.length).toBeLessThanOrEqual(Math.max(0, 6 - busy));
      for (const one of start) expect(lanes.get(one.chat)?.isBusy).toBe(false);
      expect(waitMs ?? 1).toBeGreaterThan(0);
    }),
  );
});

test('a failure spreads the next try over a longer time', () => {
  const once = laneAfterFailure({ ...IDLE_LANE, isBusy: true }, new AppError('unavailable'), NOW, 0.5);
  const twice = laneAfterFailure(once, new AppError('unavailable'), NOW, 0.5);
  expect(once).toMatchObject({ isBusy: false, failures: 1 });
  expect(twice.notBefore - NOW).toBe(2 * (once.notBefore - NOW));
});

test('a server that says when is not asked before', () => {
  const limited = new AppError('rate_limited', { retryAfterMs: 7_000 });
  expect(laneAfterFailure(IDLE_LANE, limited, NOW, 0.5).notBefore).toBe(NOW + 7_000);
});

test('B3: a nudge ends a wait of our own making, and none that the server asked for', () => {
  const lost = laneAfterFailure(IDLE_LANE, new AppError('unavailable'), NOW, 0.5);
  const limited = laneAfterFailure(IDLE_LANE, new AppError('rate_limited', { retryAfterMs: 7_000 }), NOW, 0.5);
  expect(laneAfterNudge(lost).notBefore).toBeLessThanOrEqual(NOW);
  expect(laneAfterNudge(limited).notBefore).toBe(NOW + 7_000);
});

test("H5: the protocol's table decides for every code", () => {
  for (const code of Object.keys(ERRORS) as ErrorCode[]) expect(verdictOf(code)).toBe(ERRORS[code].retry);
});

function chat(n: number): ChatId {
  return ChatId.parse(`00000000-0000-8000-8000-${n.toString(16).padStart(12, '0')}`);
}

function job(n: number): Job {
  const id = MessageId.parse(chat(n));
  return { kind: 'send', pos: n, chat: chat(n), id, to: AccountId.parse(id), rings: true };
}
