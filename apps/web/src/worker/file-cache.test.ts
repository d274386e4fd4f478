import { PICTURE_PATH } from '@dostar/protocol/contract/picture-url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fetchPicture, isPicture } from './file-cache.ts';

const address = new URL(`${PICTURE_PATH}?token=abc&small`, 'https://dostar.example');
const week = 7 * 24 * 3_600_000;

let kept: Map<string, Response>;
let expiresIn: number;
let replies: number;

beforeEach(() => {
  kept = new Map();
  expiresIn = week;
  replies = 0;
  const cache = {
    match: async ({ url }: Request) => kept.get(url)?.clone(),
    put: async ({ url }: Request, reply: Response) => void kept.set(url, reply),
    keys: async () => [],
  };
  vi.stubGlobal('caches', { open: async () => cache });
  vi.stubGlobal('fetch', async () => {
    replies += 1;
    const expires = new Date(Date.now() + expiresIn).toUTCString();
    return new Response(`reply ${replies}`, { headers: { 'cache-control': 'private, no-store', expires } });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function look(): Promise<string> {
  const tasks: Promise<void>[] = [];
  const reply = await fetchPicture(new Request(address), (task) => void tasks.push(task));
  await Promise.all(tasks);
  return reply.text();
}

test('a profile picture is recognised by its path', () => {
  expect(isPicture(address)).toBe(true);
  expect(isPicture(new URL('/api/profile', address))).toBe(false);
});

test('a picture is fetched once until it expires', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  expect([await look(), await look()]).toEqual(['reply 1', 'reply 1']);
  vi.setSystemTime(Date.now() + week + 1000);
  expect([await look(), await look()]).toEqual(['reply 2', 'reply 2']);
});

test('a picture without an expiry time is fetched again', async () => {
  vi.stubGlobal('fetch', async () => new Response(`reply ${(replies += 1)}`));
  expect([await look(), await look()]).toEqual(['reply 1', 'reply 2']);
});
