import { AppError, type ErrorCode } from '@dostar/protocol/errors';
import { AccountId, ChatId, MessageId } from '@dostar/protocol/ids';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWakeup } from '../lib/wakeup.ts';
import type { Job } from '../storage/rows.ts';
import { systemClock } from '../lib/clock.ts';
import { drainOutbox } from './outbox.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('S8: jobs of one chat go one by one, in the order written', async () => {
  await using box = startOutbox();
  box.add('a1', 'a2', 'a3');
  await box.run();
  expect(box.inFlight).toEqual(['a1']);
  box.answer('a1');
  await box.run();
  expect(box.inFlight).toEqual(['a2']);
});

test('chats do not wait for each other', async () => {
  await using box = startOutbox();
  box.add('a1', 'b1', 'c1');
  await box.run();
  expect(box.inFlight).toEqual(['a1', 'b1', 'c1']);
});

test('a retryable job is retried forever, with growing delays, and delays only its own chat', async () => {
  await using box = startOutbox();
  box.add('a1', 'a2', 'b1');
  await box.run();
  const waits: number[] = [];
  for (let tries = 0; tries < 10; tries += 1) {
    box.answer('a1', 'unavailable');
    await box.run();
    const since = Date.now();
    while (!box.inFlight.includes('a1')) await box.run(50);
    waits.push(Date.now() - since);
  }
  expect(waits.slice(0, 4)).toEqual([500, 1_000, 2_000, 4_000]);
  expect(Math.max(...waits)).toBe(30_000);
  expect(box.inFlight).toEqual(['b1', 'a1']);
});

test('a permanently refused job leaves the outbox with its code, and the chat continues', async () => {
  await using box = startOutbox();
  box.add('a1', 'a2');
  await box.run();
  box.answer('a1', 'blocked');
  await box.run();
  expect(box.failed).toEqual([['a1', 'blocked']]);
  expect(box.inFlight).toEqual(['a2']);
});

test('a lost session stops every chat until the person has signed in', async () => {
  await using box = startOutbox();
  box.add('a1', 'b1');
  await box.run();
  box.answer('a1', 'unauthenticated');
  box.answer('b1');
  box.add('c1');
  await box.run(3_600_000);
  expect(box.inFlight).toEqual([]);
  box.nudge();
  await box.run();
  expect(box.inFlight).toEqual(['c1', 'a1']);
});

test('a lost session does not stop the outbox if the person has signed in again meanwhile', async () => {
  await using box = startOutbox();
  box.add('a1');
  await box.run();
  box.nudge();
  box.answer('a1', 'unauthenticated');
  await box.run(2_000);
  expect(box.inFlight).toEqual(['a1']);
});

test('S6: changed devices are queried, then the same job is tried again', async () => {
  await using box = startOutbox();
  box.add('a1');
  await box.run();
  box.answer('a1', 'stale_devices');
  await box.run(2_000);
  expect(box.refreshed).toEqual([jobOf('a1').chat]);
  expect(box.inFlight).toEqual(['a1']);
});

test('a job that needs a decision holds only its own chat, until a nudge', async () => {
  await using box = startOutbox();
  box.add('a1', 'a2', 'b1');
  await box.run();
  box.answer('a1', 'identity_changed');
  await box.run(3_600_000);
  expect(box.held).toEqual([['a1', 'identity_changed']]);
  expect(box.inFlight).toEqual(['b1']);
  box.nudge();
  await box.run();
  expect(box.inFlight).toEqual(['b1', 'a1']);
});

test('a bug in sending is tried again later, like a failure of the server', async () => {
  await using box = startOutbox();
  box.add('a1');
  await box.run();
  box.answer('a1', new TypeError('a bug'));
  await box.run(2_000);
  expect(box.inFlight).toEqual(['a1']);
});

test('a nudge ends every wait', async () => {
  await using box = startOutbox();
  box.add('a1');
  await box.run();
  box.answer('a1', 'unavailable');
  await box.run();
  expect(box.inFlight).toEqual([]);
  box.nudge();
  await box.run();
  expect(box.inFlight).toEqual(['a1']);
});

function startOutbox() {
  const stop = new AbortController();
  const wakeup = createWakeup(systemClock, stop.signal);
  const jobs: Job[] = [];
  const answers = new Map<string, PromiseWithResolvers<void>>();
  let nudges = 0;
  const box = {
    inFlight: [] as string[],
    failed: [] as [string, ErrorCode][],
    held: [] as [string, ErrorCode][],
    refreshed: [] as ChatId[],
    /** A name is a character for the chat and a number. */
    add(...names: string[]) {
      jobs.push(...names.map(jobOf));
      wakeup.trigger();
    },
    answer(name: string, failure?: ErrorCode | Error) {
      box.inFlight = box.inFlight.filter((other) => other !== name);
      if (failure === undefined) answers.get(name)?.resolve();
      else answers.get(name)?.reject(failure instanceof Error ? failure : new AppError(failure));
    },
    nudge() {
      nudges += 1;
      wakeup.trigger();
    },
    run: async (ms = 0) => void (await vi.advanceTimersByTimeAsync(ms)),
    async [Symbol.asyncDispose]() {
      stop.abort();
      for (const { resolve } of answers.values()) resolve();
      await drained;
    },
  };
  const drained = drainOutbox(
    {
      clock: systemClock,
      // Draws exactly half of each backoff range.
      random: () => Uint8Array.of(0x80, 0, 0, 0),
      log: () => {},
      wakeup,
      countNudges: () => nudges,
      refreshDevices: async ({ chat }) => void box.refreshed.push(chat),
      listNextJobs: async () => [...Map.groupBy(jobs, ({ chat }) => chat).values()].flatMap(([head]) => head ?? []),
      async perform(job) {
        const name = nameOf(job);
        box.inFlight.push(name);
        const answer = Promise.withResolvers<void>();
        answers.set(name, answer);
        await answer.promise;
        jobs.splice(jobs.indexOf(job), 1);
      },
      async hold(job, { code }) {
        box.held.push([nameOf(job), code]);
      },
      async fail(job, { code }) {
        box.failed.push([nameOf(job), code]);
        jobs.splice(jobs.indexOf(job), 1);
      },
    },
    stop.signal,
  );
  return box;
}

function jobOf(name: string): Job {
  const id = MessageId.parse(`00000000-0000-7000-8000-0000000000${name}`);
  const chat = ChatId.parse(`00000000-0000-8000-8000-0000000000${name.slice(0, 1)}0`);
  return { kind: 'send', pos: Number.parseInt(name, 16), chat, id, to: AccountId.parse(id), rings: true };
}

function nameOf({ id }: Job): string {
  return id.slice(-2);
}
