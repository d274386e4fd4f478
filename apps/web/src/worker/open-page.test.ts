import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isReloadLoop, isPage, openPage, shellPathOf } from './open-page.ts';

const shell = (): Promise<Response> => Promise.resolve(new Response('shell'));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('opens the response of the network', async () => {
  const page = await openPage(Promise.resolve(new Response('fresh')), shell);
  expect(await page.text()).toBe('fresh');
});

it('opens the shell without a network', async () => {
  const page = await openPage(Promise.reject(new TypeError('offline')), shell);
  expect(await page.text()).toBe('shell');
});

it('opens the shell while the server is being replaced', async () => {
  const page = await openPage(Promise.resolve(new Response('bad gateway', { status: 502 })), shell);
  expect(await page.text()).toBe('shell');
});

it('does not wait for a connection without data', async () => {
  const page = openPage(new Promise(() => {}), shell);
  await vi.advanceTimersByTimeAsync(4000);
  expect(await (await page).text()).toBe('shell');
});

it('fails with the error of the network if it has no shell', async () => {
  await expect(openPage(Promise.reject(new TypeError('offline')), async () => undefined)).rejects.toThrow('offline');
});

it('has a shell for each language', () => {
  const paths = ['/contacts', '/kz/contacts/aigerim', '/ru', '/rural'];
  expect(paths.map((path) => shellPathOf(new URL(path, 'https://dostar.example')))).toEqual([
    '/contacts/_',
    '/kz/contacts/_',
    '/ru/contacts/_',
    '/contacts/_',
  ]);
});

it('does not handle API calls and files', () => {
  const paths = ['/contacts', '/kz', '/api/auth/google/start', '/v1/account', '/docs/api', '/version.json'];
  expect(paths.filter((path) => isPage(new URL(path, 'https://dostar.example')))).toEqual(['/contacts', '/kz']);
});

it('detects a page that reloads again and again', () => {
  const url = new URL('https://dostar.example/about');
  expect([0, 100, 200, 300].map((now) => isReloadLoop(url, now))).toEqual([false, false, false, true]);
  expect(isReloadLoop(url, 60_000)).toBe(false);
});

it('never redirects the chat list to itself, however often it is opened', () => {
  const url = new URL('https://dostar.example/kz/contacts');
  expect([0, 100, 200, 300, 400].map((now) => isReloadLoop(url, now))).not.toContain(true);
});
