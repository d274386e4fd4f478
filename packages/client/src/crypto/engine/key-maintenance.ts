/**
 * Maintains an open device in the background: sends the engine's requests, unlocks the device, keeps the backup complete
 * and fetches the keys that messages wait for. Every step may fail and is tried again; no message waits for one.
 */
import { AppError } from '@dostar/protocol/errors';
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import { type Backoff, backoffMs, randomFraction } from '../../lib/backoff.ts';
import { createWakeup } from '../../lib/wakeup.ts';
import { type Backup, openBackup, readBackup } from '../../vault/backup.ts';
import { deleteFormer, isCurrentBackup, settleBackup } from '../../vault/backup-version.ts';
import { renewDehydrated, visitDehydratedIfDue } from '../../vault/dehydrated-device.ts';
import { publishMasterKey } from '../../vault/identity.ts';
import type { Secrets } from '../../vault/secrets.ts';
import { forgetFormer, replaceBackup, startFresh, unlock } from '../../vault/unlock.ts';
import type { RequestSender } from './request-sender.ts';
import { REPLACE_DEHYDRATED } from './key-metadata.ts';
import { createUnverifiedSenders } from '../devices/unverified-senders.ts';
import type { KeyRingCounts } from '../key-ring.ts';
import type { DeviceOwners } from '../devices/device-owners.ts';
import { createBackupRestorer } from './backup-restorer.ts';
import type { CryptoDeviceDeps } from './crypto-device-deps.ts';
import type { TrustSync } from '../../trust/trust-sync.ts';
import { createMissingKeys, type MissingKeys } from './missing-keys.ts';

const RETRY: Backoff = { firstMs: 500, capMs: 60_000 };
/** How often it runs without any event: keys and the dehydrated device expire. */
const POLL_INTERVAL_MS = 3_600_000;
const REPLACE_FORGED_INTERVAL_MS = 86_400_000;
/** How long encryption waits for the device to be unlocked before the outbox has to retry. */
const READY_TIMEOUT_MS = 10_000;
/** Keys per call, and parallel calls: the engine imports the keys of one call while the next is in flight. */
const FETCH_BATCH = 50;
const PARALLEL_FETCHES = 2;

export interface KeyMaintenance {
  /** Whether this device can encrypt and decrypt. */
  isReady(): boolean;
  /** Waits for `isReady`, with a timeout; throws `unavailable`. */
  whenReady(): Promise<void>;
  requestKey: MissingKeys['add'];
  cancelKeyRequest(session: string): void;
  /** A message waits for its sender's devices. */
  noteUnverifiedSender(sender: AccountId, chat: ChatId, session: string): void;
  /** The engine has learned about this account's devices: retries the messages that wait for them. */
  retryUnverified(sender: AccountId): void;
  /** The message at this index of a session was decrypted. */
  noteDecrypted(session: string, index: number): void;
  /** Starts a run now, because there is new work. */
  trigger(): void;
  /** Another device may have changed the account: reads the vault again. */
  checkVault(): void;
  saveKeys(): Promise<void>;
  startFresh(): Promise<void>;
  /** The account's vault was overwritten without its key, and can be restored after re-authentication. */
  isVaultOverwritten(): boolean;
  /** Throws `reauthenticate` without a recent re-authentication. */
  restoreVault(): Promise<void>;
  counts(): Pick<KeyRingCounts, 'missingKeys' | 'isSeeking' | 'forged'>;
  /** Runs until the device is closed. */
  run(): Promise<void>;
}

export interface KeyMaintenanceDeps extends CryptoDeviceDeps {
  requestSender: RequestSender;
  ownerOf: DeviceOwners['ownerOf'];
  observeEvents: DeviceOwners['observeEvents'];
  trustSync: TrustSync;
}

export function createKeyMaintenance(deps: KeyMaintenanceDeps, stop: AbortSignal): KeyMaintenance {
  const { account, engine, requestSender, call, keyMetadata, clock, random, log } = deps;
  const wakeup = createWakeup(clock, stop);
  const missingKeys = createMissingKeys();
  const unverifiedSenders = createUnverifiedSenders();
  const ready = Promise.withResolvers<void>();
  let backup: Backup | undefined;
  let secrets: Secrets | undefined;
  let isVaultChecked = false;
  let isOverwritten = false;
  /** The version of the backup that the server last confirmed as its current one. */
  let checkedVersion: string | undefined;
  let isKeyPublished = false;
  let isRunning = false;
  /** Forged entries in former backups. */
  let forged = 0;
  let restoring: Promise<void> | undefined;
  const backupRestorer = createBackupRestorer(
    { ...deps, retry: RETRY, backup: () => backup, onRestored: () => wakeup.trigger() },
    stop,
  );

  async function readAccountKey(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return deps.secrets.get(account);
  }

  async function enter(opened: Secrets): Promise<void> {
    forged += backup?.countForged() ?? 0;
    backup = await openBackup({ ...deps, secrets: opened });
    secrets = opened;
    ready.resolve();
    missingKeys.retryAllNow();
    deps.onKeys('all');
    log('device unlocked');
  }

  async function tryUnlock(): Promise<void> {
    isOverwritten = false;
    const accountKey = await readAccountKey();
    const opened = accountKey && (await unlock({ ...deps, requestSender }, accountKey).catch(markOverwritten));
    if (accountKey === undefined || opened === undefined) {
      log('device locked', { hasKey: accountKey !== undefined });
      isVaultChecked = true;
      return;
    }
    isVaultChecked = true;
    await deps.trustSync.enter(opened, accountKey);
    if (isSame(opened, secrets)) return;
    await enter(opened);
    isKeyPublished = false;
  }

  function markOverwritten(error: unknown): undefined {
    if (!(error instanceof AppError && error.code === 'reauthenticate')) throw error;
    isOverwritten = true;
    deps.onChange();
  }

  /** An attacker may have read the vault: the backup and the dehydrated device get new keys. */
  async function replaceLeaked(): Promise<void> {
    const accountKey = await readAccountKey();
    // Wait until the former backup was moved: a second replacement would lose what is still only in there.
    if (secrets?.isLeaked !== true || secrets.former !== undefined) return;
    if (backup === undefined || accountKey === undefined) return;
    await renewDehydrated({ ...deps, key: secrets.dehydrated, backUp: keepBackup });
    const replaced = await unlessStale(replaceBackup({ ...deps, requestSender }, accountKey));
    if (replaced === undefined) return;
    await enter(replaced);
    await keyMetadata.put('dehydratedAt', REPLACE_DEHYDRATED);
    log('leaked keys replaced');
  }

  /** The server deletes the genuine entries that were replaced by forged ones after 30 days. */
  async function replaceForged(): Promise<void> {
    const accountKey = await readAccountKey();
    if (secrets === undefined || secrets.former !== undefined || accountKey === undefined) return;
    if (!backupRestorer.isRestored() || backup?.countForged() === 0) return;
    // At most once a day: a forging server could otherwise cause a new backup all the time.
    if (clock.now() - ((await keyMetadata.get('forgedAt')) ?? -Infinity) < REPLACE_FORGED_INTERVAL_MS) return;
    await keyMetadata.put('forgedAt', clock.now());
    const replaced = await unlessStale(replaceBackup({ ...deps, requestSender }, accountKey, { isForged: true }));
    if (replaced === undefined) return;
    await enter(replaced);
    log('forged backup replaced');
  }

  /** Continues a replacement whose device was closed before it finished: any device of the account may do it. */
  async function moveFormer(): Promise<void> {
    const accountKey = await readAccountKey();
    if (secrets?.former === undefined || backup === undefined || accountKey === undefined) return;
    const { former } = secrets;
    const from = await readBackup(deps, former);
    if (!(await from.fetchAll(stop).catch(isGone))) return;
    // The engine marks keys that came from one backup as backed up: only a reset uploads them all to the new one.
    await engine.machine.disableBackup();
    backup = await openBackup({ ...deps, secrets });
    await backup.upload();
    await deleteFormer(call, former.version);
    secrets = (await unlessStale(forgetFormer({ ...deps, requestSender }, accountKey))) ?? secrets;
    log('former backup deleted');
    wakeup.trigger();
  }

  /** Returns undefined if another device has written into the vault meanwhile; the next run reads the vault first. */
  async function unlessStale<T>(writing: Promise<T>): Promise<T | undefined> {
    try {
      return await writing;
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'stale_revision')) throw error;
      isVaultChecked = false;
      wakeup.trigger();
      return undefined;
    }
  }

  async function keepBackup(): Promise<void> {
    if (backup === undefined || secrets === undefined) return;
    try {
      await backup.upload();
    } catch (error) {
      const isOther =
        error instanceof AppError && (error.code === 'wrong_backup_version' || error.code === 'not_found');
      if (!isOther) throw error;
      await settle();
      await backup.upload();
    }
  }

  async function settle(): Promise<void> {
    const accountKey = await readAccountKey();
    if (accountKey === undefined) throw new AppError('unavailable');
    await enter(await settleBackup({ ...deps, requestSender }, accountKey));
  }

  /** Needed without uploads too: a stolen session may have deleted the backup while there is nothing to upload. */
  async function checkBackup(): Promise<void> {
    if (backup === undefined || backup.version === checkedVersion) return;
    if (!(await isCurrentBackup(call, backup.version))) await settle();
    checkedVersion = backup.version;
  }

  async function fetchMissing(): Promise<void> {
    const from = backup;
    if (from !== undefined) await Promise.all(Array.from({ length: PARALLEL_FETCHES }, () => fetchBatch(from)));
  }

  async function fetchBatch(from: Backup): Promise<void> {
    while (!stop.aborted) {
      const batch = missingKeys.take(clock.now(), backupRestorer.isRestored(), FETCH_BATCH);
      if (batch.length === 0) return;
      for (const session of await from.fetchNamed(batch)) missingKeys.drop(session);
    }
  }

  async function loadUnverifiedSenders(): Promise<void> {
    if (backup === undefined) return;
    for (
      let sender = unverifiedSenders.take(clock.now());
      sender !== undefined;
      sender = unverifiedSenders.take(clock.now())
    ) {
      if (stop.aborted) return;
      await requestSender.loadFormerDevices(sender);
      retryUnverified(sender);
    }
  }

  function retryUnverified(sender: AccountId): void {
    const waiting = unverifiedSenders.listOf(sender);
    if (waiting.length > 0) deps.onKeys(waiting);
  }

  async function visitDehydratedDevice(): Promise<void> {
    if (secrets === undefined) return;
    await visitDehydratedIfDue({ ...deps, key: secrets.dehydrated, backUp: keepBackup }, missingKeys.isStuck());
  }

  /** Writes this identity's master key into the user document. No message depends on it. */
  async function publishKey(): Promise<void> {
    if (isKeyPublished || secrets === undefined) return;
    isKeyPublished = true;
    await publishMasterKey({ engine, requestSender, call }).catch((error: unknown) =>
      log('public key not set', { error }),
    );
  }

  async function runSteps(): Promise<void> {
    const steps = [
      () => requestSender.flush(),
      async () => (isVaultChecked ? undefined : tryUnlock()),
      async () => {
        await requestSender.claim([]);
        await requestSender.flush();
      },
      async () => deps.trustSync.syncIfDue(await readAccountKey()),
      replaceLeaked,
      replaceForged,
      checkBackup,
      keepBackup,
      moveFormer,
      fetchMissing,
      visitDehydratedDevice,
      loadUnverifiedSenders,
      publishKey,
    ];
    let failure: unknown;
    for (const step of steps) {
      if (stop.aborted) return;
      // One failed step must not prevent the others.
      await step().catch((error: unknown) => {
        failure ??= error;
        if (needsNewDevice(error)) throw error;
      });
    }
    restoring ??= backupRestorer
      .restore()
      .catch((error: unknown) => log('backup not restored', { error }))
      .finally(() => {
        restoring = undefined;
      });
    if (failure !== undefined) throw failure;
  }

  async function run(): Promise<void> {
    let failures = 0;
    while (!stop.aborted) {
      const seen = wakeup.generation();
      let waitMs = POLL_INTERVAL_MS;
      try {
        // A fresh start writes vault and identity in several steps: a run in between would restore the old ones.
        isRunning = true;
        await deps.mutex.run('maintenance', runSteps).finally(() => {
          isRunning = false;
        });
        failures = 0;
        // A locked device has no backup to fetch keys from: it waits for a trigger.
        const dueAt =
          backup === undefined
            ? Infinity
            : Math.min(missingKeys.dueAt(backupRestorer.isRestored()), unverifiedSenders.dueAt());
        waitMs = Math.min(waitMs, Math.max(0, dueAt - clock.now()));
      } catch (error) {
        if (stop.aborted) break;
        log('keys not in step', { code: error instanceof AppError ? error.code : String(error) });
        if (needsNewDevice(error))
          return void deps.onConflict(engine.device).catch((cause: unknown) => log('device not renewed', { cause }));
        waitMs = backoffMs(RETRY, failures, randomFraction(random));
        failures += 1;
      }
      await wakeup.wait(seen, waitMs);
    }
    await restoring;
  }

  return {
    isReady: () => backup !== undefined,
    async whenReady() {
      if (backup !== undefined) return;
      await Promise.race([ready.promise, clock.sleep(READY_TIMEOUT_MS, stop)]);
      if (backup === undefined) throw new AppError('unavailable');
    },
    requestKey(request) {
      if (!request.canWait) backupRestorer.defer();
      missingKeys.add(request);
      wakeup.trigger();
    },
    cancelKeyRequest: missingKeys.drop,
    noteUnverifiedSender(sender, chat, session) {
      unverifiedSenders.add(sender, chat, session);
      wakeup.trigger();
    },
    retryUnverified,
    noteDecrypted(session, index) {
      missingKeys.noteDecrypted(session, index);
      unverifiedSenders.drop(session);
    },
    trigger: wakeup.trigger,
    checkVault() {
      isVaultChecked = false;
      wakeup.trigger();
    },
    saveKeys: keepBackup,
    async startFresh() {
      await deps.mutex.run('maintenance', async () => {
        const accountKey = await readAccountKey();
        if (accountKey === undefined) throw new AppError('unavailable');
        const fresh = await startFresh({ ...deps, requestSender }, accountKey);
        await deps.trustSync.enter(fresh, accountKey);
        await enter(fresh);
        await renewDehydrated({ ...deps, key: secrets?.dehydrated ?? '', backUp: keepBackup });
        await keyMetadata.put('dehydratedAt', clock.now());
      });
    },
    isVaultOverwritten: () => isOverwritten || deps.trustSync.needsProof(),
    async restoreVault() {
      await deps.mutex.run('maintenance', tryUnlock);
      if (isOverwritten || deps.trustSync.needsProof()) throw new AppError('reauthenticate');
      deps.onChange();
      if (secrets === undefined) throw new AppError('not_found');
      wakeup.trigger();
    },
    counts: () => ({
      missingKeys: missingKeys.count(),
      isSeeking: isRunning || !isVaultChecked || (backup !== undefined && missingKeys.isNew()),
      forged: forged + (backup?.countForged() ?? 0),
    }),
    run,
  };
}

/** Another device has finished the move already. */
function isGone(error: unknown): true {
  if (error instanceof AppError && error.code === 'not_found') return true;
  throw error;
}

function isSame(one: Secrets, other: Secrets | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** This device's keys differ from those on the server: only a new device helps. */
function needsNewDevice(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'key_conflict' || error.code === 'stale_revision');
}
