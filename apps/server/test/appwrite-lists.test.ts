/**
 * Limits on the cost of a `/v1` list: its queries come from strangers, and all callers share the connections.
 *
 * @module-tag gate: It waits for the database’s own time limits: half a minute.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { systemClock } from '../src/platform/concurrency/clock.ts';
import { listPage } from '../src/appwrite/list-page.ts';
import { createLog } from '../src/platform/observability/log.ts';
import { readQueries } from '../src/appwrite/queries.ts';
import { Shard } from '../src/platform/postgres/shards.ts';

const FIELDS = new Map([
  ['$id', { type: 'text' as const, isArray: false, expression: sql`id` }],
  ['tags', { type: 'text' as const, isArray: true, expression: sql`tags` }],
]);

let shard: Shard;
beforeAll(() => {
  const database = { url: inject('postgresUrl'), timeoutMs: 5_000 };
  shard = new Shard({ id: 0, database, poolSize: 4, clock: systemClock, log: createLog('silent') });
});
afterAll(() => shard[Symbol.asyncDispose]());

const read = (...queries: object[]) =>
  readQueries(
    queries.map((query) => JSON.stringify(query)),
    { fields: FIELDS, errorType: 'general_query_invalid' },
  );
let callers = 0;
/** Each call is from another account unless it names one. */
const list = (table: RawBuilder<unknown>, limit: number, caller = `caller ${(callers += 1)}`) =>
  listPage(shard, {
    caller,
    table,
    columns: sql<{ id: string }>`*`,
    visible: sql<boolean>`true`,
    fields: FIELDS,
    queries: read({ method: 'limit', values: [limit] }),
    ties: [{ attribute: '$id', isDescending: false }],
    isCounted: false,
  });
const slow = sql`(select '1' as id, pg_sleep(61)::text as slept) as slow`;
const answer = () => shard.query(async (db) => (await sql<{ one: number }>`select 1 as one`.execute(db)).rows);
const sleepers = async (): Promise<number> => {
  const found = await shard.query((db) =>
    sql`select from pg_stat_activity where state = 'active' and query like '%pg_sleep(61)%' and pid <> pg_backend_pid()`.execute(
      db,
    ),
  );
  return found.rows.length;
};

test('a statement that takes too long ends in the database too, and its connection is free for others', async () => {
  const asked = Array.from({ length: 4 }, () => shard.query((db) => sql`select pg_sleep(61)`.execute(db)));
  for (const each of await Promise.allSettled(asked)) {
    expect(each).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
  }
  // The circuit breaker retries after a second.
  await sleep(1_500);
  expect(await answer()).toEqual([{ one: 1 }]);
  expect(await sleepers()).toBe(0);
});

test('a list that takes too long does not make the shard count as unavailable', async () => {
  for (let n = 0; n < 2; n += 1)
    await expect(list(slow, 5)).rejects.toMatchObject({ type: 'database_timeout', status: 408 });
  expect(shard.breaker.isOpen).toBe(false);
  expect(await answer()).toEqual([{ one: 1 }]);
});

test('lists leave connections for other calls', async () => {
  const lists = Promise.allSettled(Array.from({ length: 4 }, () => list(slow, 5)));
  let areListed = false;
  void lists.then(() => (areListed = true));
  await sleep(200);
  expect(await answer()).toEqual([{ one: 1 }]);
  expect(areListed).toBe(false);
  await lists;
});

test('slow lists of one account do not delay other accounts', async () => {
  const lists = Array.from({ length: 2 }, () => list(slow, 5, 'one'));
  const ended: unknown[] = [];
  for (const each of lists) each.catch((error: unknown) => ended.push(error));
  const quick = sql`(select 'a' as id) as quick`;
  expect((await list(quick, 5, 'another')).rows).toEqual([{ id: 'a' }]);
  expect(ended).toEqual([]);
  const crowd = await Promise.allSettled(Array.from({ length: 60 }, () => list(quick, 5, 'one')));
  expect(crowd.filter(({ status }) => status === 'fulfilled')).toHaveLength(49);
  expect(ended).toHaveLength(2);
  expect((await list(quick, 5, 'one')).rows).toEqual([{ id: 'a' }]);
});

test('a page that would be too large is refused, and a smaller one is returned', async () => {
  const large = sql`(select n::text as id, repeat('x', 1000000) as data from generate_series(1, 40) n) as large`;
  await expect(list(large, 40)).rejects.toMatchObject({ type: 'general_query_invalid' });
  expect((await list(large, 10)).rows).toHaveLength(10);
  const small = sql`(select n::text as id from generate_series(1, 5000) n) as small`;
  expect((await list(small, 5000)).rows).toHaveLength(5000);
});

const equal = (count: number) => ({
  method: 'equal',
  attribute: '$id',
  values: Array.from({ length: count }, (_, n) => String(n)),
});
const contains = (count: number) => ({ ...equal(count), method: 'contains' });
const held = (count: number) => ({ ...contains(count), attribute: 'tags' });

test('the values and full-text searches of all queries are limited in total', () => {
  const many = { type: 'general_query_invalid', message: 'Invalid query: too many values' };
  expect(read(equal(500)).filters).toHaveLength(1);
  expect(() => read(equal(300), equal(201))).toThrow(expect.objectContaining(many));
  expect(() => read({ method: 'or', values: [equal(251), equal(250)] })).toThrow(expect.objectContaining(many));
  const nothing = { method: 'isNull', attribute: '$id' };
  const nulls = { method: 'or', values: Array.from({ length: 60 }, () => nothing) };
  expect(() => read(...Array.from({ length: 9 }, () => nulls))).toThrow(expect.objectContaining(many));
  expect(read(contains(100), held(400)).filters).toHaveLength(2);
  expect(() => read(contains(60), contains(41))).toThrow(expect.objectContaining(many));
});
