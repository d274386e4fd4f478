import type { Page } from '@playwright/test';

const UPDATED_FLAG = 'renewed';

/**
 * Makes the page an outdated client: its calls and frames carry a version that the server no longer supports, and the
 * real server answers. Ends with `update` and a reload, as if the new version had been loaded.
 *
 * Runs inside the page: a call that Playwright intercepts outside of it may hang forever if a service worker handles it
 * too.
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
