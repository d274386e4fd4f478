// Deletes an account's data from this browser: databases, cached files, the push subscription. It works without a
// network. The app's own files stay: they are the same for all users.
import type { BrowserKeyStore } from '@dostar/client/key-store';
import type { AccountId } from '@dostar/protocol/ids';
import { appCache } from '../../worker/names.ts';
import { closeMessenger } from '../messenger/messenger.ts';
import { readRemembered } from './remembered.ts';

const deleteTimeoutMs = 3000;

let othersWiped = Promise.resolve();

async function listDatabases(): Promise<string[]> {
  const databases = await indexedDB.databases();
  return databases.map(({ name }) => name).filter((name) => name !== undefined);
}

/**
 * If another tab has the database open, the browser deletes it once that tab closes it; this does not wait for that.
 */
function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(name);
    const timer = setTimeout(resolve, deleteTimeoutMs);
    request.addEventListener('success', () => {
      clearTimeout(timer);
      resolve();
    });
    request.addEventListener('error', () => resolve());
  });
}

async function unsubscribe(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  await subscription?.unsubscribe();
}

/** Deletes entry by entry: the files of a deleted cache stay as long as a page or worker has it open. */
async function deleteCache(name: string): Promise<void> {
  const cache = await caches.open(name);
  await Promise.all((await cache.keys()).map((entry) => cache.delete(entry)));
  await caches.delete(name);
}

export async function wipeAll(): Promise<void> {
  // An open database can't be deleted, and one that is opened later would be created again.
  await closeMessenger();
  await othersWiped;
  // This deletes the device key: without it, no key in the browser's log of a deleted database can be decrypted.
  const mine = (await caches.keys()).filter((name) => name !== appCache);
  await Promise.all(mine.map(deleteCache));
  await Promise.all((await listDatabases()).map(deleteDatabase));
  // A browser that refuses push has no subscription to remove.
  await unsubscribe().catch(() => undefined);
}

/** Deletes the keys and databases of accounts other than `id`. */
export async function wipeOthers(id: string): Promise<void> {
  const { openKeyStore } = await import('./key-store.ts');
  // The account may have signed out during the import, in any tab.
  if (readRemembered()?.id !== id) return;
  const work = deleteOthers(id, openKeyStore());
  othersWiped = work.catch(() => undefined);
  await work;
}

async function deleteOthers(id: string, keyStore: BrowserKeyStore): Promise<void> {
  await keyStore.deleteOthers(id as AccountId);
  const names = await listDatabases();
  const isOther = (name: string): boolean => /[0-9a-f]{8}-[0-9a-f]{4}-/.test(name) && !name.includes(id);
  await Promise.all(names.filter(isOther).map(deleteDatabase));
}
