import { randomBytes, randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import {
  bigintArray,
  booleanArray,
  byteaArray,
  integerArray,
  uuidArray,
} from '../src/platform/postgres/binary-arrays.ts';

let client: Client;
beforeAll(async () => {
  client = new Client({ connectionString: inject('postgresUrl') });
  await client.connect();
});
afterAll(() => client.end());

async function echo(type: string, value: Buffer): Promise<unknown> {
  const { rows } = await client.query<{ echoed: unknown }>(`select to_jsonb($1::${type}[]) as echoed`, [value]);
  return rows[0]?.echoed;
}

test('PostgreSQL reads the binary arrays as they were written', async () => {
  const ids = [randomUUID(), null, randomUUID()];
  const bodies = [Buffer.alloc(0), randomBytes(5_000), null];

  expect(await echo('uuid', uuidArray(ids))).toEqual(ids);
  expect(await echo('integer', integerArray([0, -1, null, 2_147_483_647]))).toEqual([0, -1, null, 2_147_483_647]);
  const bigs = [0, 1_700_000_000_000, -5, null, Number.MAX_SAFE_INTEGER];
  expect(await echo('bigint', bigintArray(bigs))).toEqual(bigs);
  expect(await echo('boolean', booleanArray([true, false, null]))).toEqual([true, false, null]);
  const hex = bodies.map((body) => body && `\\x${body.toString('hex')}`);
  expect(await echo('bytea', byteaArray(bodies))).toEqual(hex);
});

test('no elements make an empty array, not null', async () => {
  expect(await echo('uuid', uuidArray([]))).toEqual([]);
  expect(await echo('bytea', byteaArray([]))).toEqual([]);
});

test('an id in capital letters is the same id', async () => {
  const id = randomUUID();
  expect(await echo('uuid', uuidArray([id.toUpperCase()]))).toEqual([id]);
});
