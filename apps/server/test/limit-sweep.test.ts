/** Expired rate-limit counters are deleted by the worker, once for all processes. */
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { RateLimiter } from '../src/platform/concurrency/rate-limits.ts';
import type { RateLimit } from '../src/platform/concurrency/rate-limits.ts';
import { openPlanReader } from './read-plans.ts';
import { startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

const OLD = 12_345;
const LIVE = 40_000;

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster({
    postgresUrl: inject('postgresUrl'),
    natsUrl: inject('natsUrl'),
    env: { ROLES: 'api' },
  });
});
afterAll(() => cluster[Symbol.asyncDispose]());

test('expired counters are deleted in pages, and the sweep does not read live ones', async () => {
  await using reader = await openPlanReader(cluster.config.DIRECTORY_URL);
  const fill = (name: string, count: number, expire: number) =>
    reader.pool.query(`insert into limits select $1 || n, 1, $3 from generate_series(1, $2::int) n`, [
      name,
      count,
      expire,
    ]);
  await fill('live', LIVE, Date.now() + 3_600_000);
  await reader.pool.query('vacuum analyze limits');
  await fill('old', OLD, Date.now() - 3_600_000);

  const { rows } = await reader.measure(() => new RateLimiter(reader.pool).sweep());

  const { rows: left } = await reader.pool.query<{ count: number }>('select count(*)::int as count from limits');
  expect(left).toEqual([{ count: LIVE }]);
  expect(rows).toBeLessThan(3 * OLD);
});

test('a process that charges limits starts no sweep of its own', async () => {
  await using reader = await openPlanReader(cluster.config.DIRECTORY_URL);
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const limit: RateLimit = { name: 'sweeping-test', points: 5, perSeconds: 60, scope: 'shared' };
  await new RateLimiter(reader.pool).charge(limit, 'somebody');
  const delays = timers.mock.calls.map(([, delay]) => delay ?? 0);
  timers.mockRestore();
  expect(delays.filter((delay) => delay >= 60_000)).toEqual([]);
});
