/**
 * The keys of one account in one browser: opens the engine for the session's device, unlocks it with the account key,
 * and keeps keys, device lists and backup in sync with the server while it is open.
 *
 * Elsewhere: what one device does while it is open (engine/crypto-device.ts); encryption and decryption of messages
 * (sealing/); the vault (vault/).
 */
import { renewDevice } from '@dostar/protocol/contract/device-keys';
import { AppError, ERRORS } from '@dostar/protocol/errors';
import type { DeviceId } from '@dostar/protocol/ids';
import { type Backoff, backoffMs, randomFraction } from '../lib/backoff.ts';
import { callEndpoint } from '../net/http.ts';
import type { Call } from '../net/call.ts';
import { listOwnDevices } from './devices/devices.ts';
import { deleteDeviceStore, openDeviceStore } from './engine/device-store.ts';
import { type EngineLibrary, loadEngine } from './engine/engine.ts';
import { unpackEnvelope } from './sealing/envelope.ts';
import { openKeyMetadata } from './engine/key-metadata.ts';
import type { KeyRing } from './key-ring.ts';
import type { KeyRingDeps } from './key-ring-deps.ts';
import { createListeners } from '../lib/listeners.ts';
import { createMutex } from '../lib/mutex.ts';
import { openCryptoDevice, type CryptoDevice } from './engine/crypto-device.ts';
import type { ArrivedKeys, Opened } from './sealing/sealer.ts';

const RETRY: Backoff = { firstMs: 500, capMs: 60_000 };

/** How long a press waits for keys that are still loading. */
const OPEN_TIMEOUT_MS = 15_000;

export function createKeyRing(options: KeyRingDeps): KeyRing {
  const stop = new AbortController();
  const deps = { loadEngine, persist: async () => {}, ...options };
  const call: Call = (endpoint, body) => callEndpoint(deps, endpoint, body, stop.signal);
  const keyMetadata = openKeyMetadata(deps);
  const mutex = createMutex();
  const keys = createListeners<ArrivedKeys>();
  const renewals = createListeners<void>();
  const changed = createListeners<void>();
  let library: Promise<EngineLibrary> | undefined;
  let current: CryptoDevice | undefined;
  const counts = { opened: 0, waiting: { key: 0, identity: 0, locked: 0 }, refused: { malformed: 0, sender: 0 } };

  async function openDevice(device: DeviceId): Promise<CryptoDevice> {
    if (current?.engine.device === device) return current;
    await current?.close();
    current = undefined;
    // After a failed load the next call tries again.
    library ??= deps.loadEngine().catch((error: unknown) => {
      library = undefined;
      throw error;
    });
    const loaded = await library;
    try {
      const engine = await openDeviceStore({ ...deps, keyMetadata }, loaded, device);
      current = await openCryptoDevice({
        ...deps,
        engine,
        keyMetadata,
        call,
        mutex,
        onKeys: keys.tell,
        onChange: changed.tell,
        onConflict: renew,
      });
      // Callers that asked about keys earlier wait for this event.
      changed.tell();
      return current;
    } catch (error) {
      if (error instanceof AppError && error.code === 'key_conflict') await renew(device);
      throw error;
    }
  }

  /** Replaces a device that can't be used any more: the session gets a new device, and the connection starts again. */
  async function renew(device: DeviceId): Promise<void> {
    await mutex.run('device', async () => {
      deps.log('device renewed');
      await current?.saveKeys().catch((error: unknown) => deps.log('keys not saved', { error }));
      await askForDevice(device);
      await current?.close();
      current = undefined;
      await deleteDeviceStore({ ...deps, keyMetadata }, device);
    });
    renewals.tell();
  }

  /** Retries until the server answers: the old device no longer runs, so giving up would leave this browser locked. */
  async function askForDevice(before: DeviceId): Promise<void> {
    for (let failures = 0; ; failures += 1) {
      try {
        await call(renewDevice, { device: before });
        return;
      } catch (error) {
        const isAway = error instanceof AppError && ERRORS[error.code].retry === 'later';
        if (!isAway || stop.signal.aborted) throw error;
        deps.log('device not renewed', { code: error.code });
        await deps.clock.sleep(backoffMs(RETRY, failures, randomFraction(deps.random)), stop.signal);
      }
    }
  }

  function count(opened: Opened): void {
    if (opened.state === 'open') counts.opened += 1;
    else if (opened.state === 'waiting') counts.waiting[opened.reason] += 1;
    else counts.refused[opened.reason] += 1;
  }

  function need(): CryptoDevice {
    if (current === undefined) throw new AppError('unavailable');
    return current;
  }

  async function waitUntilOpen(): Promise<CryptoDevice> {
    if (current !== undefined) return current;
    const opened = new Promise<void>((resolve) => {
      const unsubscribe = changed.add(() => {
        if (current === undefined) return;
        unsubscribe();
        resolve();
      });
    });
    await Promise.race([opened, deps.clock.sleep(OPEN_TIMEOUT_MS, stop.signal)]);
    return need();
  }

  return {
    async openDevice(device) {
      await mutex.run('open', () => openDevice(device));
      return (await keyMetadata.get('token')) ?? null;
    },
    receive: async (changes) => need().receive(changes),
    seal: async (message) => need().seal(message),
    async open(message) {
      const opened: Opened = current ? await current.open(message) : { state: 'waiting', reason: 'locked' };
      count(opened);
      return opened;
    },
    proveErasure: async (message) => need().erasures().make(message),
    isErasureGenuine: async (message, proof) => need().erasures().isGenuine(message, proof),
    sessionOf: (body) => unpackEnvelope(body)?.session,
    dropChatKey: async (chat) => need().dropChatKey(chat),
    refreshDevices: async (accounts) => need().refreshDevices(accounts),
    onKeys: keys.add,
    onRenew: renewals.add,
    identityOf: async (account) => need().identityOf(account),
    acceptIdentity: async (account) => need().acceptIdentity(account),
    pinIdentity: async (account, fingerprint) => need().pinIdentity(account, fingerprint),
    masterKeyOf: async (account) => need().masterKeyOf(account),
    onChange: changed.add,
    listDevices: async () => listOwnDevices(need().engine, call),
    listVerifications: async () => current?.verifier.list() ?? [],
    requestVerification: async (account) => (await waitUntilOpen()).verifier.request(account),
    acceptVerification: async (id) => need().verifier.accept(id),
    startEmoji: async (id) => need().verifier.startEmoji(id),
    scanCode: async (id, code) => need().verifier.scan(id, code),
    confirmVerification: async (id) => need().verifier.confirm(id),
    cancelVerification: async (id) => need().verifier.cancel(id),
    startFresh: async () => need().startFresh(),
    isVaultOverwritten: async () => current?.isVaultOverwritten() ?? false,
    restoreVault: async () => need().restoreVault(),
    counts: async () => ({ ...counts, ...(current?.counts() ?? { missingKeys: 0, isSeeking: true, forged: 0 }) }),
    nudge: () => current?.nudge(),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await mutex.run('open', async () => {
        await current?.close();
        current = undefined;
      });
      keyMetadata.close();
    },
  };
}
