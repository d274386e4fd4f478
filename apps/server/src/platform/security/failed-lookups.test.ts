import { AppError } from '@dostar/protocol/errors';
import { expect, test } from 'vitest';
import { FailedLookups } from './failed-lookups.ts';

const VISITOR = '203.0.113.7';

test('a burst of right lookups is served, a few at a time', async () => {
  const lookups = new FailedLookups({ points: 1, perSeconds: 60, atOnce: 3 });
  let [underWay, most] = [0, 0];
  const look = async (): Promise<string> => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise(setImmediate);
    underWay -= 1;
    return 'found';
  };
  const found = await Promise.all(Array.from({ length: 100 }, () => lookups.run(VISITOR, look)));
  expect([found.length, most]).toEqual([100, 3]);
});

test('after too many wrong lookups no further one is made, and those under way are refused too', async () => {
  const lookups = new FailedLookups({ points: 3, perSeconds: 60, atOnce: 5 });
  let looks = 0;
  const look = async (): Promise<undefined> => {
    looks += 1;
    await new Promise(setImmediate);
  };
  const settled = await Promise.allSettled(Array.from({ length: 100 }, () => lookups.run(VISITOR, look)));
  expect(looks).toBeLessThanOrEqual(3 + 5);
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  const before = looks;
  await expect(lookups.run(VISITOR, look)).rejects.toThrow('rate_limited');
  expect(looks).toBe(before);
  expect(await lookups.run('203.0.113.8', () => Promise.resolve('found'))).toBe('found');
});

test('the IPv6 networks of one customer share a limit', async () => {
  const lookups = new FailedLookups({ points: 1, perSeconds: 60, atOnce: 5 });
  const run = (n: number) => lookups.run(`2001:db8:1:${n}::`, () => Promise.resolve(undefined));
  for (const n of [0, 1, 2, 3]) expect(await run(n)).toBe(undefined);
  await expect(run(4)).rejects.toThrow('rate_limited');
});

test('a refusal counts as wrong, a failure does not', async () => {
  const lookups = new FailedLookups({ points: 1, perSeconds: 60, atOnce: 5 });
  const fail = (code: 'unavailable' | 'unauthenticated') =>
    lookups.run(VISITOR, () => Promise.reject(new AppError(code)));
  await expect(fail('unavailable')).rejects.toThrow('unavailable');
  await expect(fail('unauthenticated')).rejects.toThrow('unauthenticated');
  await expect(fail('unauthenticated')).rejects.toThrow('rate_limited');
});
