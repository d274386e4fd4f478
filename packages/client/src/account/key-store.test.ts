import { AccountId } from '@dostar/protocol/ids';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { expect, test } from 'vitest';
import { createDeviceKeys } from '../app-lock/device-key.ts';
import { openKeyFiles } from '../app-lock/key-files.ts';
import { openUnlockedKeys } from '../app-lock/unlocked-keys.ts';
import { createKeyStore } from './key-store.ts';

const alice = AccountId.parse('a11ce000-0000-4000-8000-000000000001');
const bob = AccountId.parse('b0b00000-0000-4000-8000-000000000002');

test('an account key is kept across a reload and gone once deleted', async () => {
  const deps = { indexedDB: new IDBFactory(), IDBKeyRange };
  const accountKey = crypto.getRandomValues(new Uint8Array(32));
  await createKeyStore(deps).put(alice, accountKey);
  expect(await createKeyStore(deps).get(alice)).toEqual(accountKey);
  await createKeyStore(deps).delete(alice);
  expect(await createKeyStore(deps).get(alice)).toBeUndefined();
});

test('a pending secret survives a reload, is taken once, and a newer sign-in replaces it', async () => {
  const deps = { indexedDB: new IDBFactory(), IDBKeyRange };
  const secret = crypto.getRandomValues(new Uint8Array(64));
  await createKeyStore(deps).storePendingSecret(alice, secret);
  expect(await createKeyStore(deps).takePendingSecret(alice)).toEqual(secret);
  expect(await createKeyStore(deps).takePendingSecret(alice)).toBeUndefined();
  await createKeyStore(deps).storePendingSecret(alice, secret);
  await createKeyStore(deps).storePendingSecret(bob, secret);
  expect(await createKeyStore(deps).takePendingSecret(alice)).toBeUndefined();
  expect(await createKeyStore(deps).get(alice)).toBeUndefined();
});

test('no key is in the database in the clear, and no key decrypts once the device key is deleted', async () => {
  const deps = { indexedDB: new IDBFactory(), IDBKeyRange };
  const accountKey = crypto.getRandomValues(new Uint8Array(32));
  await createKeyStore(deps).put(alice, accountKey);
  for (const row of await readRows(deps.indexedDB)) {
    expect(Object.keys(row).toSorted()).toEqual(['account', 'iv', 'keyId', 'sealed']);
    expect(String(new Uint8Array(row.sealed))).not.toContain(String(accountKey));
  }
  await createDeviceKeys(openKeyFiles(deps.indexedDB), async () => openUnlockedKeys(deps.indexedDB)).delete(alice);
  expect(await createKeyStore(deps).get(alice)).toBeUndefined();
});

test('a late call to a closed store does not create the database again that a sign-out has deleted', async () => {
  const deps = { indexedDB: new IDBFactory(), IDBKeyRange };
  const keyStore = createKeyStore(deps);
  await keyStore.put(alice, crypto.getRandomValues(new Uint8Array(32)));
  keyStore.close();
  await new Promise((resolve) => {
    deps.indexedDB.deleteDatabase('dostar/keys').addEventListener('success', resolve);
  });
  await expect(keyStore.get(alice)).rejects.toThrow('closed');
  expect(await deps.indexedDB.databases()).toEqual([]);
});

test('deleteOthers deletes the keys of every other account from the browser', async () => {
  const deps = { indexedDB: new IDBFactory(), IDBKeyRange };
  const keyStore = createKeyStore(deps);
  const secret = crypto.getRandomValues(new Uint8Array(32));
  for (const account of [alice, bob]) {
    await keyStore.put(account, secret);
    await keyStore.put(`dostar/engine/${account}/${crypto.randomUUID()}`, secret);
    await keyStore.getOrAdd(`local/${account}`, secret);
  }
  await keyStore.deleteOthers(bob);
  expect(await keyStore.get(bob)).toEqual(secret);
  expect((await readRows(deps.indexedDB)).every(({ account }) => account.includes(bob))).toBe(true);
  expect(
    await createDeviceKeys(openKeyFiles(deps.indexedDB), async () => openUnlockedKeys(deps.indexedDB)).list(),
  ).toEqual([bob]);
});

test('two tabs that make a key at the same time end up with the same one', async () => {
  const deps = { indexedDB: new IDBFactory(), IDBKeyRange };
  const tabs = [createKeyStore(deps), createKeyStore(deps)];
  const kept = await Promise.all(
    tabs.map((tab) => tab.getOrAdd(`local/${alice}`, crypto.getRandomValues(new Uint8Array(32)))),
  );
  expect(kept[0]).toEqual(kept[1]);
  expect(await createKeyStore(deps).get(`local/${alice}`)).toEqual(kept[0]);
});

test('a row with its own key decrypts, and is encrypted under the device key from then on', async () => {
  const deps = { indexedDB: new IDBFactory(), IDBKeyRange };
  const secret = crypto.getRandomValues(new Uint8Array(32));
  const keyStore = createKeyStore(deps);
  await keyStore.put(bob, secret);
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, secret);
  await writeRow(deps.indexedDB, { account: alice, key, iv, sealed });
  expect(await keyStore.get(alice)).toEqual(secret);
  expect((await readRows(deps.indexedDB)).map((row) => 'key' in row)).toEqual([false, false]);
  expect(await keyStore.get(alice)).toEqual(secret);
});

interface Row {
  account: string;
  sealed: ArrayBuffer;
  key?: CryptoKey;
  iv?: Uint8Array;
}

async function openStore(indexedDB: IDBFactory, mode: IDBTransactionMode): Promise<IDBObjectStore> {
  const db = await finish(indexedDB.open('dostar/keys'));
  return db.transaction('kept', mode).objectStore('kept');
}

async function readRows(indexedDB: IDBFactory): Promise<Row[]> {
  return (await finish((await openStore(indexedDB, 'readonly')).getAll())) as Row[];
}

async function writeRow(indexedDB: IDBFactory, row: Row): Promise<void> {
  await finish((await openStore(indexedDB, 'readwrite')).put(row));
}

function finish<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(new Error('not read', { cause: request.error })));
  });
}
