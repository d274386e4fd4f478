import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

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
