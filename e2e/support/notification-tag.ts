/** Replaces the push service, which this machine cannot reach. */
import { createHmac } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect } from './pair.ts';

const tagKey = Buffer.alloc(32, 7).toString('base64url');

/** The id of the chat in the local database, and the tag that pushes use for it (SPEC N3). */
export async function tagOf(page: Page): Promise<{ chat: string; tag: string }> {
  const chat = await page.evaluate(async () => {
    const { name = '' } =
      (await indexedDB.databases()).find((one) => /^dostar\/[0-9a-f-]{36}$/.test(one.name ?? '')) ?? {};
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name);
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error));
    });
    const keys = await new Promise<IDBValidKey[]>((resolve) => {
      const request = db.transaction('chats').objectStore('chats').getAllKeys();
      request.addEventListener('success', () => resolve(request.result));
    });
    db.close();
    return keys[0] as string;
  });
  const key = Buffer.from(tagKey, 'base64url');
  return { chat, tag: createHmac('sha256', key).update(`chat ${chat}`).digest('base64url').slice(0, 22) };
}

/** Stores the tag key as a push subscription would store it for the service worker. */
export async function storeTagKey(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(async () => (await caches.match('/memo')) !== undefined)).toBe(true);
  await page.evaluate(async (key) => {
    const cache = await caches.open('memo');
    const state = (await (await cache.match('/memo'))?.json()) as object;
    await cache.put('/memo', Response.json({ ...state, tagKey: key }));
  }, tagKey);
}
