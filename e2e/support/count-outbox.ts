import type { Page } from '@playwright/test';

/** Number of messages in the outbox of this browser's account: stored and not sent yet. */
export function countOutbox(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const names = (await indexedDB.databases()).map(({ name = '' }) => name);
    const opening = indexedDB.open(names.find((name) => /^dostar\/[0-9a-f-]{36}$/.test(name)) ?? '');
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      opening.addEventListener('success', () => resolve(opening.result));
      opening.addEventListener('error', () => reject(opening.error));
    });
    const counting = db.transaction('outbox').objectStore('outbox').count();
    const count = await new Promise<number>((resolve) => {
      counting.addEventListener('success', () => resolve(counting.result));
    });
    db.close();
    return count;
  });
}
