import { AccountId } from '@dostar/protocol/ids';
import { IDBFactory, IDBKeyRange, IDBObjectStore } from 'fake-indexeddb';
import { afterEach, expect, test, vi } from 'vitest';
import { createKeyStore } from '../account/key-store.ts';
import { toBase64Url } from '../net/base64.ts';
import { type AppLock, AppLocked, createAppLock, type NewLock } from './app-lock.ts';
import { stretchByArgon2 } from './argon2.ts';
import { type KeyFiles, openKeyFiles } from './key-files.ts';
import { createUnlockedKeys, type LockChannel } from './unlocked-keys.ts';
import { ARGON2_COST, type LockSecret, type Stretch } from './wrap-key.ts';

const alice = AccountId.parse('a11ce000-0000-4000-8000-000000000001');
const bob = AccountId.parse('b0b00000-0000-4000-8000-000000000002');
const local = `local/${alice}`;
const pin: LockSecret = { method: 'pin', text: '482913' };
const wrong: LockSecret = { method: 'pin', text: '482914' };
const phrase: LockSecret = { method: 'passphrase', text: 'steppe wind over grass' };

/** Argon2id takes half a second per call. Tests use a plain hash, except those that test Argon2id itself. */
const stretch: Stretch = async (secret, salt, cost) =>
  new Uint8Array(
    await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${secret} ${String(salt)} ${cost.passes}`)),
  );

function lockWith(secret: LockSecret, lockAfterMinutes = 5): NewLock {
  return { secret, lockAfterMinutes };
}

/** A browser: its disk, and as many tabs as a test opens. */
function openBrowser() {
  const indexedDB = new IDBFactory();
  const files = openKeyFiles(indexedDB);
  const channels: Set<(event: { data: unknown }) => void>[] = [];
  const held: string[] = [];
  const locks = {
    async request(name: string, _: object, hold: () => Promise<void>) {
      held.push(name);
      await hold();
      held.splice(held.indexOf(name), 1);
    },
    query: async () => ({ held: held.map((name) => ({ name })) }),
  } as Pick<LockManager, 'request' | 'query'>;
  return {
    indexedDB,
    files,
    openTab({ keepsGiven = true } = {}) {
      const mine = new Set<(event: { data: unknown }) => void>();
      channels.push(mine);
      const openChannel = (): LockChannel => ({
        postMessage: (data) => {
          for (const hear of channels.filter((other) => other !== mine).flatMap((other) => [...other])) hear({ data });
        },
        addEventListener: (_, hear) => void mine.add(hear),
      });
      const unlocked = createUnlockedKeys({ openChannel, locks, keepsGiven });
      const deps = { indexedDB, IDBKeyRange, files, unlocked };
      return { lock: createAppLock({ ...deps, stretch }), keyStore: createKeyStore(deps), unlocked };
    },
  };
}

type Browser = ReturnType<typeof openBrowser>;

const secret = crypto.getRandomValues(new Uint8Array(32));

async function openLocked(next = lockWith(pin)): Promise<Browser> {
  const browser = openBrowser();
  const { lock, keyStore } = browser.openTab();
  await keyStore.put(alice, secret);
  await keyStore.getOrAdd(local, secret);
  expect(await lock.change(alice, undefined, next)).toBe(true);
  await lock.lock(alice);
  return browser;
}

async function stateOf(lock: AppLock): Promise<string> {
  return (await lock.readState(alice)).kind;
}

afterEach(() => {
  vi.restoreAllMocks();
});

test('L1: the right secret opens the keys, a wrong one does not, and without one they stay locked', async () => {
  const { lock, keyStore } = (await openLocked()).openTab();
  expect(await stateOf(lock)).toBe('locked');
  await expect(keyStore.get(alice)).rejects.toBeInstanceOf(AppLocked);
  expect(await lock.unlock(alice, wrong)).toBe(false);
  await expect(keyStore.get(alice)).rejects.toBeInstanceOf(AppLocked);
  expect(await lock.unlock(alice, pin)).toBe(true);
  expect(await keyStore.get(alice)).toEqual(secret);
  expect(await stateOf(lock)).toBe('unlocked');
});

test('L1: the secret that a passkey derives locks and unlocks', async () => {
  const passkey = { credential: 'AAAA', rpId: 'dostar.example' };
  const mine: LockSecret = { method: 'passkey', derived: crypto.getRandomValues(new Uint8Array(32)), passkey };
  const { lock, keyStore } = (await openLocked(lockWith(mine, 0))).openTab();
  expect(await lock.readState(alice)).toMatchObject({ lock: { method: 'passkey', passkey, lockAfterMinutes: 0 } });
  expect(await lock.unlock(alice, { ...mine, derived: new Uint8Array(32) })).toBe(false);
  expect(await lock.unlock(alice, mine)).toBe(true);
  expect(await keyStore.get(alice)).toEqual(secret);
});

test.each([
  ['a lower cost', (text: string) => text.replace('"passes":4', '"passes":1')],
  ['a longer delay', (text: string) => text.replace('"lockAfterMinutes":5', '"lockAfterMinutes":60')],
  ['another method', (text: string) => text.replace('"method":"pin"', '"method":"passphrase"')],
])('L1: a record that was changed to %s does not open', async (_, change) => {
  const browser = await openLocked();
  const name = `device-key/${alice}`;
  const before = new TextDecoder().decode(await browser.files.read(name));
  expect(change(before)).not.toBe(before);
  await browser.files.write(name, new TextEncoder().encode(change(before)));
  const { lock } = browser.openTab();
  expect(await lock.unlock(alice, pin)).toBe(false);
  expect(await lock.unlock(alice, { ...pin, method: 'passphrase' })).toBe(false);
});

test("L1: one account's record does not open as another's", async () => {
  const browser = await openLocked();
  await browser.files.write(`device-key/${bob}`, (await browser.files.read(`device-key/${alice}`))!);
  expect(await browser.openTab().lock.unlock(bob, pin)).toBe(false);
});

test('L3: a locked key store overwrites nothing, whatever is called', async () => {
  const browser = await openLocked();
  const { lock, keyStore } = browser.openTab();
  const fresh = crypto.getRandomValues(new Uint8Array(32));
  const file = await browser.files.read(`device-key/${alice}`);
  await expect(keyStore.getOrAdd(local, fresh)).rejects.toBeInstanceOf(AppLocked);
  await expect(keyStore.put(alice, fresh)).rejects.toBeInstanceOf(AppLocked);
  await keyStore.storePendingSecret(alice, fresh);
  expect(await keyStore.takePendingSecret(alice)).toBeUndefined();
  expect(await browser.files.read(`device-key/${alice}`)).toEqual(file);
  await lock.unlock(alice, pin);
  expect(await keyStore.getOrAdd(local, fresh)).toEqual(secret);
  expect(await keyStore.get(alice)).toEqual(secret);
});

test('L3: a damaged record, or one of a later version, counts as locked and is kept', async () => {
  const browser = await openLocked();
  const later = new TextEncoder().encode('dostar app-lock 2\n{}');
  await browser.files.write(`device-key/${alice}`, later);
  const { lock, keyStore } = browser.openTab();
  expect(await stateOf(lock)).toBe('damaged');
  await expect(keyStore.getOrAdd(local, secret)).rejects.toBeInstanceOf(AppLocked);
  expect(await browser.files.read(`device-key/${alice}`)).toEqual(later);
});

test('deleting the keys of other accounts deletes locked ones, with everything about their lock', async () => {
  const browser = await openLocked();
  await browser.openTab().keyStore.deleteOthers(bob);
  expect(await browser.files.list()).toEqual([]);
});

test('L4: setting a lock makes a new device key: the former one decrypts no row', async () => {
  const browser = openBrowser();
  const { lock, keyStore } = browser.openTab();
  await keyStore.put(alice, secret);
  const former = (await browser.files.read(`device-key/${alice}`))!;
  await lock.change(alice, undefined, lockWith(pin));
  await browser.files.write(`device-key/${alice}`, former);
  expect(await browser.openTab().keyStore.get(alice)).toBeUndefined();
});

test('L4: changing and removing a lock need its secret, and make a new device key each time', async () => {
  const browser = await openLocked();
  const { lock, keyStore } = browser.openTab();
  expect(await lock.change(alice, wrong, lockWith(phrase))).toBe(false);
  expect(await lock.change(alice, undefined, undefined)).toBe(false);
  expect(await lock.change(alice, pin, lockWith(phrase))).toBe(true);
  await lock.lock(alice);
  expect(await lock.unlock(alice, pin)).toBe(false);
  expect(await lock.change(alice, phrase, undefined)).toBe(true);
  expect(await stateOf(lock)).toBe('none');
  expect(await browser.openTab().keyStore.get(alice)).toEqual(secret);
  expect(await keyStore.getOrAdd(local, new Uint8Array(32))).toEqual(secret);
});

/** Each step of a change fails once. The browser is then opened again, as after a crash. */
const failures: [string, (files: KeyFiles) => void][] = [
  ['the next file', (files) => failOnce(files, 'write', 'next-device-key/')],
  ['the rows', () => void vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementationOnce(throwFull)],
  ['the present file', (files) => failOnce(files, 'write', 'device-key/')],
  ["the next file's end", (files) => failOnce(files, 'delete', 'next-device-key/')],
];

function throwFull(): never {
  throw new Error('the disk is full');
}

function failOnce(files: KeyFiles, method: 'write' | 'delete', folder: string): void {
  const real = files[method] as (name: string, bytes?: Uint8Array<ArrayBuffer>) => Promise<void>;
  let isDone = false;
  files[method] = async (name: string, bytes?: Uint8Array<ArrayBuffer>) => {
    if (isDone || !name.startsWith(folder)) return real(name, bytes);
    isDone = true;
    throwFull();
  };
}

test.each(failures)('L5: no key is lost when setting a lock fails at %s', async (_, fail) => {
  const browser = openBrowser();
  const { lock, keyStore } = browser.openTab();
  await keyStore.put(alice, secret);
  fail(browser.files);
  await expect(lock.change(alice, undefined, lockWith(pin))).rejects.toThrow();
  const after = browser.openTab();
  const { kind } = await after.lock.readState(alice);
  expect(['none', 'locked']).toContain(kind);
  if (kind === 'locked') expect(await after.lock.unlock(alice, pin)).toBe(true);
  expect(await after.keyStore.get(alice)).toEqual(secret);
  expect(await browser.files.list()).toEqual([`device-key/${alice}`]);
});

test.each(failures)('L5: no key is lost when removing a lock fails at %s', async (_, fail) => {
  const browser = await openLocked();
  fail(browser.files);
  await expect(browser.openTab().lock.change(alice, pin, undefined)).rejects.toThrow();
  const after = browser.openTab();
  const { kind } = await after.lock.readState(alice);
  expect(['none', 'locked']).toContain(kind);
  if (kind === 'locked') expect(await after.lock.unlock(alice, pin)).toBe(true);
  expect(await after.keyStore.get(alice)).toEqual(secret);
});

test('L5: a worker without notice of an interrupted change still reads the keys', async () => {
  const browser = await openLocked();
  failOnce(browser.files, 'write', 'device-key/');
  await expect(browser.openTab().lock.change(alice, pin, undefined)).rejects.toThrow();
  const { keyStore, lock } = browser.openTab();
  await lock.unlock(alice, pin);
  expect(await keyStore.get(alice)).toEqual(secret);
  expect(await stateOf(lock)).toBe('none');
});

test('L6: a new tab gets the key from one that is unlocked, and none once that tab has locked', async () => {
  const browser = await openLocked();
  const [first, second, third] = [browser.openTab(), browser.openTab(), browser.openTab()];
  await first.lock.unlock(alice, pin);
  expect(await second.keyStore.get(alice)).toEqual(secret);
  const heard: string[] = [];
  second.lock.listen(({ t }) => heard.push(t));
  await first.lock.lock(alice);
  expect(heard).toEqual(['locked']);
  expect(second.lock.peek(alice)).toBeUndefined();
  await expect(third.keyStore.get(alice)).rejects.toBeInstanceOf(AppLocked);
});

test('L6: a service worker asks for the key each time, and has none once the tabs are gone', async () => {
  const browser = await openLocked();
  const [tab, worker] = [browser.openTab(), browser.openTab({ keepsGiven: false })];
  await tab.lock.unlock(alice, pin);
  expect(await worker.keyStore.get(alice)).toEqual(secret);
  tab.unlocked.drop(alice);
  await expect(worker.keyStore.get(alice)).rejects.toBeInstanceOf(AppLocked);
});

test('L6: a key copy in transit when the app was locked opens nothing', async () => {
  const browser = await openLocked();
  const tab = browser.openTab();
  await tab.lock.unlock(alice, pin);
  const onItsWay = tab.lock.peek(alice)!;
  await tab.lock.lock(alice);
  tab.lock.hold(alice, onItsWay);
  await expect(tab.keyStore.get(alice)).rejects.toBeInstanceOf(AppLocked);
  expect(tab.lock.peek(alice)).toBeUndefined();
});

test('L6: the key in memory can not be exported', async () => {
  const browser = await openLocked();
  const { lock } = browser.openTab();
  await lock.unlock(alice, pin);
  expect(lock.peek(alice)?.key.extractable).toBe(false);
});

test('the app locks in memory even if the disk refuses to store the lock', async () => {
  const browser = await openLocked();
  const { lock } = browser.openTab();
  await lock.unlock(alice, pin);
  failOnce(browser.files, 'write', 'lock-count/');
  await expect(lock.lock(alice)).rejects.toThrow('full');
  expect(lock.peek(alice)).toBeUndefined();
});

test('L2: secrets are stretched by Argon2id with 64 MiB and three passes at least', async () => {
  expect(ARGON2_COST.memoryKib).toBeGreaterThanOrEqual(65_536);
  expect(ARGON2_COST.passes).toBeGreaterThanOrEqual(3);
  // The expected value was computed with OpenSSL.
  expect(toBase64Url(await stretchByArgon2('482913', new Uint8Array(16).fill(7), { memoryKib: 256, passes: 2 }))).toBe(
    'k91nTJUrzc1kvGeWuOi83cz60kKibnk2ZIwWUAzQSmc',
  );
});
