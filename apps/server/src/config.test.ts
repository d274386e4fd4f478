import { expect, test } from 'vitest';
import { listFormerNames, readConfig } from './config.ts';

const env = {
  DIRECTORY_URL: 'postgres://127.0.0.1/directory',
  SHARD_URLS: '0=postgres://127.0.0.1/shard',
  ORIGIN: 'https://chat.example',
};

test('an ended session loses its next request within ten seconds: no process remembers it longer (SPEC H4)', () => {
  expect(readConfig(env).SESSION_CACHE_MS).toBe(10_000);
  expect(readConfig({ ...env, SESSION_CACHE_MS: '0' }).SESSION_CACHE_MS).toBe(0);
  expect(() => readConfig({ ...env, SESSION_CACHE_MS: '10001' })).toThrow('SESSION_CACHE_MS');
});

test('a name of 0.1 still sets its setting, unless the present name is set too', () => {
  expect(readConfig({ ...env, POOL_SIZE: '7' }).DATABASE_POOL_SIZE).toBe(7);
  expect(listFormerNames({ POOL_SIZE: '7' })).toEqual([['POOL_SIZE', 'DATABASE_POOL_SIZE']]);
  const both = { ...env, POOL_SIZE: '7', DATABASE_POOL_SIZE: '8' };
  expect(readConfig(both).DATABASE_POOL_SIZE).toBe(8);
  expect(listFormerNames(both)).toEqual([]);
});
