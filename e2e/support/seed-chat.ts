/** Years of use without the years: rows in the browser's own database, encrypted with its own key as the client keeps them. */
import type { Page } from '@playwright/test';

export interface SeededMessage {
  id: string;
  chat: string;
  sender: string;
  text: string;
  pos: number;
  at: number;
}

/** By the names of their tables. */
interface Seeds {
  messages: SeededMessage[];
  chats?: { chat: string; peer: string }[];
  users?: object[];
  registers?: object[];
}

/** Whose browser this is, once it has a database. */
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

/** Resolves when all of it is written. */
export async function seed(page: Page, own: string, seeds: Seeds): Promise<void> {
  await page.evaluate(
    async ({ name, rows: { messages, ...others } }) => {
      const db = await ask<IDBDatabase>(indexedDB.open(name));
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

      /** Made by whoever has something to keep first. */
      async function findKey(): Promise<CryptoKey> {
        const kept = await ask<{ value: CryptoKey } | undefined>(
          db.transaction('meta').objectStore('meta').get('localKey'),
        );
        if (kept !== undefined) return kept.value;
        const value = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
        await ask(db.transaction('meta', 'readwrite').objectStore('meta').put({ key: 'localKey', value }));
        return value;
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
    { name: `dostar/${own}`, rows: seeds },
  );
}
