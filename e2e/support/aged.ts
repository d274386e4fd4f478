import type { Page } from '@playwright/test';

/**
 * Makes the page one of a version before those that the server still speaks: what it says leaves it with that number, and
 * the real server answers. Until `renew`, as if the new program had come.
 */
export async function agePage(page: Page): Promise<{ renew: () => void }> {
  let isOld = true;
  await page.routeWebSocket('**/realtime', (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((text) => server.send(isOld ? String(text).replace(/"v":\d+/, '"v":0') : text));
  });
  await page.route('**/api/**', async (route) => {
    // As the page knows them; those that the browser adds are known only after it has gone, which it then might not.
    const headers = route.request().headers();
    await route.continue(isOld ? { headers: { ...headers, 'x-dostar-version': '0' } } : {});
  });
  return {
    renew: () => {
      isOld = false;
    },
  };
}
