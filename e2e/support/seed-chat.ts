/** Fills the browser's own database with rows, encrypted with its own key as the client stores them. */
import type { Page } from '@playwright/test';

export interface SeededMessage {
  id: string;
  chat: string;
  sender: string;
  text: string;
  pos: number;
  at: number;
}

/** Rows by the name of their table. */
interface Seeds {
  messages: SeededMessage[];
  chats?: { chat: string; peer: string }[];
  users?: object[];
  registers?: object[];
}

/** The account of this browser, once it has a database. */
export async function readOwnAccount(page: Page): Promise<string> {
  const name = await page.waitForFunction(async () =>
    (await indexedDB.databases()).map((one) => one.name ?? '').find((one) => /^dostar\/[0-9a-f-]{36}$/.test(one)),
  );
  return String(await name.jsonValue()).slice('dostar/'.length);
}

/** The chats of the local database. */
export async function readChats(page: Page, own: string): Promise<{ chat: string; peer: string }[]> {
  return page.evaluate(async (name) => {
    const opening = indexedDB.open(name);
    await new Promise((resolve) => opening.addEventListener('success', resolve));
    const reading = opening.result.transaction('chats').objectStore('chats').getAll();
    await new Promise((resolve) => reading.addEventListener('success', resolve));
    opening.result.close();
    return reading.result as { chat: string; peer: string }[];
  }, `dostar/${own}`);
}

/** Resolves when all rows are written. */
export async function seed(page: Page, own: string, seeds: Seeds): Promise<void> {
  await page.evaluate(
    async ({ account, rows: { messages, ...others } }) => {
      const db = await ask<IDBDatabase>(indexedDB.open(`dostar/${account}`));
      const key = await findKey();
      const closed = await Promise.all(messages.map(close));
      const tables = Object.entries<object[]>({ messages: closed, ...others });
      const writing = db.transaction(
        tables.map(([table]) => table),
        'readwrite',
      );
      for (const [table, rows] of tables) for (const row of rows) writing.objectStore(table).put(row);
      await new Promise((resolve, reject) => {
        writing.addEventListener('complete', resolve);
        writing.addEventListener('abort', () => reject(writing.error ?? new Error('not written')));
      });
      db.close();

      /** The local key. The client creates it with its first encrypted row; if it is missing, this creates it. */
      async function findKey(): Promise<CryptoKey> {
        const file = await caches.match(`/device-key/${account}`);
        const deviceKey = await importKey(await file!.arrayBuffer());
        const keys = await ask<IDBDatabase>(indexedDB.open('dostar/keys'));
        const row = `local/${account}`;
        const additionalData = new TextEncoder().encode(row);
        const kept = await ask<{ iv: BufferSource; sealed: ArrayBuffer } | undefined>(
          keys.transaction('kept').objectStore('kept').get(row),
        );
        if (kept !== undefined) {
          keys.close();
          const algorithm = { name: 'AES-GCM', iv: kept.iv, additionalData };
          return importKey(await crypto.subtle.decrypt(algorithm, deviceKey, kept.sealed));
        }
        const fresh = crypto.getRandomValues(new Uint8Array(32));
        const iv = crypto.getRandomValues(new Uint8Array(12));
        const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, deviceKey, fresh);
        await ask(keys.transaction('kept', 'readwrite').objectStore('kept').add({ account: row, iv, sealed }));
        keys.close();
        return importKey(fresh);
      }

      // oxlint-disable-next-line unicorn/consistent-function-scoping -- It runs in the page.
      function importKey(bytes: BufferSource): Promise<CryptoKey> {
        return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
      }

      async function close({ id, chat, sender, text, pos, at }: SeededMessage): Promise<object> {
        const iv = crypto.getRandomValues(new Uint8Array(12));
        const sealed = await crypto.subtle.encrypt(
          { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(`${sender}/${id}`) },
          key,
          new TextEncoder().encode(JSON.stringify({ id, chat, sender, content: { kind: 'text', text } })),
        );
        const content = new Uint8Array([...iv, ...new Uint8Array(sealed)]);
        return { sender, id, chat, pos, slot: pos, at, content, kind: 'text', status: 'sent', trust: 'known' };
      }

      // oxlint-disable-next-line unicorn/consistent-function-scoping -- It runs in the page.
      function ask<T>(request: IDBRequest): Promise<T> {
        return new Promise((resolve, reject) => {
          request.addEventListener('success', () => resolve(request.result as T));
          request.addEventListener('error', () => reject(request.error ?? new Error('not read')));
        });
      }
    },
    { account: own, rows: seeds },
  );
}
