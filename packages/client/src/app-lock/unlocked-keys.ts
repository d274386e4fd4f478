/**
 * The device key while the app is unlocked: only in the memory of tabs and their workers. A context without the key
 * asks the others. The key is gone once the last context is closed.
 */
import type { AccountId } from '@dostar/protocol/ids';
import { createListeners } from '../lib/listeners.ts';

const CHANNEL = 'dostar/app-lock';
/** A tab that has not answered by then counts as closed; a busy tab answers late. */
const RESPONSE_TIMEOUT_MS = 3_000;

export interface UnlockedKey {
  key: CryptoKey;
  keyId: string;
  /** How often the app had been locked when the secret was given. After one more lock, this copy opens nothing. */
  lockCount: number;
}

export type LockEvent = { t: 'locked' | 'changed'; account: AccountId };
type LockMessage = LockEvent | { t: 'ask'; account: AccountId } | ({ t: 'give'; account: AccountId } & UnlockedKey);

/** The part of a BroadcastChannel that this needs. */
export interface LockChannel {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
}

export interface UnlockedKeys {
  /** From the memory of this context, or else of another one. */
  find(account: AccountId): Promise<UnlockedKey | undefined>;
  hold(account: AccountId, unlocked: UnlockedKey): void;
  /** Drops the key in this context only. */
  drop(account: AccountId): void;
  peek(account: AccountId): UnlockedKey | undefined;
  /** Notifies every other context: `locked` makes them drop the key, `changed` makes them read the state again. */
  tell(event: LockEvent): void;
  /** Events of other contexts. */
  listen(listener: (event: LockEvent) => void): () => void;
}

interface Deps {
  openChannel: (() => LockChannel) | undefined;
  locks: Pick<LockManager, 'request' | 'query'> | undefined;
  /** Whether this context keeps a key that another context sent. */
  keepsGiven: boolean;
}

export function createUnlockedKeys({ openChannel, locks, keepsGiven }: Deps): UnlockedKeys {
  const held = new Map<AccountId, UnlockedKey & { release: () => void }>();
  const waiting = new Map<AccountId, Set<(unlocked: UnlockedKey) => void>>();
  const listeners = createListeners<LockEvent>();
  let channel: LockChannel | undefined;

  function open(): LockChannel | undefined {
    if (channel !== undefined || openChannel === undefined) return channel;
    channel = openChannel();
    channel.addEventListener('message', ({ data }) => {
      if (isLockMessage(data)) onMessage(data);
    });
    return channel;
  }

  function onMessage(message: LockMessage): void {
    const { account } = message;
    if (message.t === 'ask') {
      const known = peek(account);
      if (known !== undefined) open()?.postMessage({ t: 'give', account, ...known } satisfies LockMessage);
    } else if (message.t === 'give') {
      const { key, keyId, lockCount } = message;
      for (const take of waiting.get(account) ?? []) take({ key, keyId, lockCount });
    } else {
      if (message.t === 'locked') drop(account);
      listeners.tell(message);
    }
  }

  function peek(account: AccountId): UnlockedKey | undefined {
    const known = held.get(account);
    return known && { key: known.key, keyId: known.keyId, lockCount: known.lockCount };
  }

  function drop(account: AccountId): void {
    held.get(account)?.release();
    held.delete(account);
  }

  /** False if no tab has the key, so that no request has to time out. */
  async function isElsewhere(account: AccountId): Promise<boolean> {
    if (locks === undefined) return openChannel !== undefined;
    const { held: taken = [] } = await locks.query();
    return taken.some(({ name }) => name === lockName(account));
  }

  async function ask(account: AccountId): Promise<UnlockedKey | undefined> {
    if (!(await isElsewhere(account))) return undefined;
    const { promise, resolve } = Promise.withResolvers<UnlockedKey | undefined>();
    const takers = waiting.get(account) ?? new Set();
    waiting.set(account, takers.add(resolve));
    const timer = setTimeout(() => resolve(undefined), RESPONSE_TIMEOUT_MS);
    open()?.postMessage({ t: 'ask', account } satisfies LockMessage);
    const unlocked = await promise;
    clearTimeout(timer);
    takers.delete(resolve);
    if (unlocked !== undefined && keepsGiven) hold(account, unlocked);
    return unlocked;
  }

  function hold(account: AccountId, unlocked: UnlockedKey): void {
    drop(account);
    const { promise, resolve } = Promise.withResolvers<void>();
    held.set(account, { ...unlocked, release: resolve });
    open();
    // The shared lock shows other contexts that this one has the key.
    void locks?.request(lockName(account), { mode: 'shared' }, () => promise);
  }

  return {
    peek,
    drop,
    find: async (account) => peek(account) ?? (await ask(account)),
    hold,
    tell: (event) => open()?.postMessage(event),
    listen(listener) {
      open();
      return listeners.add(listener);
    },
  };
}

function lockName(account: AccountId): string {
  return `${CHANNEL}/${account}`;
}

const memories = new WeakMap<IDBFactory, UnlockedKeys>();

/** One per context. Outside a browser there are no other contexts to ask. */
export function openUnlockedKeys(indexedDB: IDBFactory): UnlockedKeys {
  const known = memories.get(indexedDB);
  if (known !== undefined) return known;
  const isBrowser = 'caches' in globalThis;
  const made = createUnlockedKeys({
    openChannel: isBrowser ? () => new BroadcastChannel(CHANNEL) : undefined,
    locks: isBrowser ? globalThis.navigator?.locks : undefined,
    // A service worker outlives the tabs, and must not open anything without one.
    keepsGiven: !('ServiceWorkerGlobalScope' in globalThis),
  });
  memories.set(indexedDB, made);
  return made;
}

/** A message of another form is discarded. */
function isLockMessage(data: unknown): data is LockMessage {
  const said = data as { [F in 't' | 'account' | keyof UnlockedKey]?: unknown } | null | undefined;
  if (typeof said?.account !== 'string') return false;
  if (said.t === 'give')
    return typeof said.key === 'object' && typeof said.keyId === 'string' && typeof said.lockCount === 'number';
  return said.t === 'ask' || said.t === 'locked' || said.t === 'changed';
}
