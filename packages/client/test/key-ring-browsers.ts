/** Browsers with keys against the fake key server that can lie. */
import { randomBytes, randomUUID } from 'node:crypto';
// oxlint-disable-next-line import/no-unassigned-import -- The engine looks for IndexedDB on the global object.
import 'fake-indexeddb/auto';
import { createKeyStore } from '@dostar/client/key-store';
import { createKeyRing } from '@dostar/client/key-ring';
import type { KeyRing, Opened, SealedMessage, Verification } from '@dostar/client';
import { AccountId, directChat, MessageId } from '@dostar/protocol/ids';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { createFastClock } from './fast-clock.ts';
import type { FakeSession, KeyServer } from './fake-key-server.ts';
import { loadSabotagedClient } from './sabotage/sabotaged-client.ts';
import { changesWithout, type Safeguard } from './sabotage/safeguards.ts';

const clock = createFastClock(1);

export interface Owner {
  account: AccountId;
  key: Uint8Array<ArrayBuffer>;
}

export function makeOwner(): Owner {
  return { account: AccountId.parse(randomUUID()), key: new Uint8Array(randomBytes(32)) };
}

export interface Browser extends AsyncDisposable {
  keyRing: KeyRing;
  session: FakeSession;
  logs: string[];
  /** How often its clock's sleep was called; a busy loop would call it all the time. */
  sleeps: number;
  disk: IDBFactory;
  secrets: ReturnType<typeof createKeyStore>;
  /** Syncs until the server has nothing new. */
  settle(): Promise<void>;
  say(to: AccountId, text: string): Promise<SealedMessage>;
  read(message: SealedMessage): Promise<Opened>;
}

export interface BrowserOptions {
  /** Safeguards left out of the client. */
  without?: readonly Safeguard[];
  session?: FakeSession;
  disk?: IDBFactory;
  secrets?: Browser['secrets'];
  persist?: () => Promise<void>;
  /** By default false: the browser knows the account key, as after a sign-in with the password. */
  isLocked?: boolean;
  log?: (event: string, fields?: Record<string, unknown>) => void;
}

export async function openBrowser(server: KeyServer, owner: Owner, options: BrowserOptions = {}): Promise<Browser> {
  const {
    session = server.connect(owner.account),
    disk = new IDBFactory(),
    isLocked = false,
    without = [],
    log,
  } = options;
  const secrets = options.secrets ?? createKeyStore({ indexedDB: disk, IDBKeyRange });
  if (!isLocked) await secrets.put(owner.account, owner.key);
  const logs: string[] = [];
  const program = without.length === 0 ? { createKeyRing } : await loadSabotagedClient(changesWithout(without));
  const keyRing = program.createKeyRing({
    account: owner.account,
    baseUrl: 'http://server.test',
    fetch: session.fetch,
    clock: { ...clock, sleep: (ms, signal) => ((browser.sleeps += 1), clock.sleep(ms, signal)) },
    random: (size) => new Uint8Array(randomBytes(size)),
    indexedDB: disk,
    IDBKeyRange,
    secrets,
    ...(options.persist && { persist: options.persist }),
    log: (event, fields) => {
      logs.push(event);
      log?.(event, fields);
    },
  });
  let token: string | null | undefined = null;
  let last = '';
  // Like the connection, opens the device that replaced the former one.
  keyRing.onRenew(() => {
    token = undefined;
    last = '';
  });
  const browser: Browser = {
    keyRing,
    session,
    logs,
    sleeps: 0,
    disk,
    secrets,
    async settle() {
      for (let quiet = 0; quiet < 3;) {
        token ??= (await keyRing.openDevice(session.device)) ?? '0.0';
        const changes = session.sync(token);
        const isNew = changes.events.length > 0 || changes.token !== token;
        // Like the server, sends a frame only after a change. The engine spends 5 ms on an empty one.
        const current = JSON.stringify(changes);
        if (current !== last)
          await keyRing
            .receive(changes)
            .then(() => (last = current))
            .catch(() => {});
        if (token !== undefined) token = changes.token;
        quiet = isNew ? 0 : quiet + 1;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async say(to, text) {
      const chat = directChat(owner.account, to);
      const content = new TextEncoder().encode(text);
      const { body } = await keyRing.seal({ to, chat, content });
      return { chat, sender: owner.account, id: MessageId.parse(randomUUID()), at: Date.now(), body };
    },
    read: (message) => keyRing.open(message),
    [Symbol.asyncDispose]: () => keyRing[Symbol.asyncDispose](),
  };
  const isReady = new Set([options.disk ? 'device unlocked' : 'dehydrated device visited', 'device locked']);
  while (!logs.some((event) => isReady.has(event))) await browser.settle();
  return browser;
}

export function wordsOf(opened: Opened): string {
  return opened.state === 'open' ? new TextDecoder().decode(opened.content) : `${opened.state}: ${opened.reason}`;
}

/** Repeats the attempt as keys arrive. A test whose keys never arrive fails by its time limit. */
export async function untilOpen(browser: Browser, message: SealedMessage): Promise<Opened> {
  for (;;) {
    const opened = await browser.read(message);
    if (opened.state !== 'waiting') return opened;
    await browser.settle();
  }
}

export async function settleAll(...browsers: Browser[]): Promise<void> {
  for (const browser of browsers) await browser.settle();
}

/** Syncs until all of them show this phase of their verification. A test that never gets there fails by its time limit. */
export async function settleUntilPhase(phase: Verification['phase'], ...browsers: Browser[]): Promise<void> {
  for (;;) {
    await settleAll(...browsers);
    const shown = await Promise.all(browsers.map(({ keyRing }) => keyRing.listVerifications()));
    if (shown.every(([verification]) => verification?.phase === phase)) return;
  }
}

/**
 * Syncs until this browser knows the account as verified: the engine fetches the signatures after a verification shows
 * `done`. A test that never gets there fails by its time limit.
 */
export async function settleUntilVerified(browser: Browser, account: AccountId): Promise<void> {
  while ((await browser.keyRing.identityOf(account)) !== 'verified') await browser.settle();
}

/** Both compare emoji and confirm that they match. */
export async function verify(one: Browser, other: Browser): Promise<void> {
  const id = await one.keyRing.requestVerification(other.session.account);
  await other.settle();
  const [asked] = await other.keyRing.listVerifications();
  await other.keyRing.acceptVerification(asked!.id);
  await one.settle();
  await one.keyRing.startEmoji(id);
  await settleUntilPhase('comparing', other, one);
  await one.keyRing.confirmVerification(id);
  await other.keyRing.confirmVerification(asked!.id);
  await settleUntilPhase('done', other, one);
  await settleUntilVerified(one, other.session.account);
  await settleUntilVerified(other, one.session.account);
}
