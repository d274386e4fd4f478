import type { Page } from '@playwright/test';

const UPDATED_FLAG = 'renewed';

/**
 * Makes the page one of a version before those that the server still speaks: what it says leaves it with that number, and
 * the real server answers. Until `update` and a reload, as if the new program had come.
 *
 * Within the page: calls that are held up outside it, where a service worker has them in its hands too, may stay there
 * without end.
 */
export async function simulateOutdatedClient(page: Page): Promise<{ update: () => Promise<void> }> {
  await page.addInitScript((updatedFlag) => {
    if (sessionStorage.getItem(updatedFlag) !== null) return;
    const { fetch } = globalThis;
    const send = Reflect.get(WebSocket.prototype, 'send') as (this: WebSocket, data: unknown) => void;
    globalThis.fetch = (input, init) => {
      const headers = new Headers(init?.headers);
      if (!headers.has('x-dostar-version')) return fetch(input, init);
      headers.set('x-dostar-version', '0');
      return fetch(input, { ...init, headers });
    };
    WebSocket.prototype.send = function sendWithOldVersion(data) {
      send.call(this, typeof data === 'string' ? data.replace(/"v":\d+/, '"v":0') : data);
    };
  }, UPDATED_FLAG);
  return { update: () => page.evaluate((updatedFlag) => sessionStorage.setItem(updatedFlag, 'yes'), UPDATED_FLAG) };
}
