/**
 * Looks after an open device in the background: sends what the engine wants sent, unlocks it, keeps the backup complete
 * and fetches what mail waits for. Everything here may fail and is tried again; nothing here is waited for by mail.
 */
import { AppError } from '@dostar/protocol/errors';
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import { type Backoff, backoffMs } from '../../lib/backoff.ts';
import { createBell } from '../../lib/wakeup.ts';
import { randomFraction } from '../../deps.ts';
import { type Backup, openBackup, readBackup } from '../../vault/backup.ts';
import { deleteFormer, isCurrentBackup, settleBackup } from '../../vault/backup-version.ts';
import { renewDehydrated, visitDehydrated } from '../../vault/dehydrated.ts';
import { publishMasterKey } from '../../vault/identity.ts';
import type { Secrets } from '../../vault/secrets.ts';
import { forgetFormer, replaceBackup, startFresh, unlock } from '../../vault/unlock.ts';
import type { Courier } from './request-sender.ts';
import { REPLACE_DEHYDRATED } from './key-metadata.ts';
import { createDoubts } from '../devices/unverified-senders.ts';
import type { RingCounts } from '../key-ring.ts';
import type { Owners } from '../devices/device-owners.ts';
import { createRestorer } from './restore-rest.ts';
import type { RingDeviceDeps } from './ring-device.ts';
import type { TrustKeeper } from '../../trust/trust-keeper.ts';
import { createWanted, type Wanted } from './missing-keys.ts';

const RETRY: Backoff = { firstMs: 500, capMs: 60_000 };
/** Even if nothing happens: keys and the waiting device get old. */
const LOOK_EVERY_MS = 3_600_000;
const REPLACE_FORGED_EVERY_MS = 86_400_000;
const DEHYDRATED_LIVES_MS = 30 * 86_400_000;
/** How often a browser reads the waiting device's queue: as a rule, and while messages lack a key. */
const VISIT_EVERY_MS = 86_400_000;
const VISIT_STUCK_EVERY_MS = 600_000;
/** How long a message waits for the device to be unlocked before the outbox is told to come again. */
const READY_WITHIN_MS = 10_000;
/** Keys asked for at once, and how often at once: what one call brings is taken in while the next is under way. */
const FETCHED = 50;
const FETCHES = 2;

export interface Attendant {
  /** Whether this device can read and write. */
  isReady(): boolean;
  /** Waits a while for it; throws `unavailable`. */
  whenReady(): Promise<void>;
  want: Wanted['add'];
  unwant(session: string): void;
  /** Mail waits for what is known of its sender's devices. */
  doubt(sender: AccountId, chat: ChatId, session: string): void;
  /** More is known of an account: what waited for it is tried again. */
  settleDoubts(sender: AccountId): void;
  /** Mail at this place of a session is open. */
  reach(session: string, index: number): void;
  /** Something happened that gives it work. */
  ring(): void;
  /** The account may have been changed from another device: look into the vault again. */
  checkVault(): void;
  saveKeys(): Promise<void>;
  startFresh(): Promise<void>;
  /** The account's vault was overwritten without its key, and can be restored after a fresh proof. */
  isVaultOverwritten(): boolean;
  /** Throws `reauthenticate` without a fresh proof. */
  restoreVault(): Promise<void>;
  counts(): Pick<RingCounts, 'wanted' | 'isSeeking' | 'forged'>;
  /** Runs until the device is closed. */
  run(): Promise<void>;
}

export interface AttendantDeps extends RingDeviceDeps {
  courier: Courier;
  ownerOf: Owners['ownerOf'];
  hear: Owners['hear'];
  keeper: TrustKeeper;
}

export function createAttendant(deps: AttendantDeps, stop: AbortSignal): Attendant {
  const { account, engine, courier, call, facts, clock, random, log, defences } = deps;
  const bell = createBell(clock, stop);
  const wanted = createWanted();
  const doubts = createDoubts();
  const ready = Promise.withResolvers<void>();
  let backup: Backup | undefined;
  let secrets: Secrets | undefined;
  let isVaultChecked = false;
  let isOverwritten = false;
  /** The backup that the server was seen to have in use. */
  let checkedVersion: string | undefined;
  let isNamed = false;
  let isTending = false;
  /** Entries of backups that were in use before. */
  let forged = 0;
  let restoring: Promise<void> | undefined;
  const restorer = createRestorer({ ...deps, retry: RETRY, backup: () => backup, onRestored: () => bell.ring() }, stop);

  async function readAccountKey(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return deps.secrets.get(account);
  }

  async function enter(opened: Secrets): Promise<void> {
    forged += backup?.countForged() ?? 0;
    backup = await openBackup({ ...deps, secrets: opened });
    secrets = opened;
    ready.resolve();
    wanted.hurry();
    deps.onKeys('all');
    log('device unlocked');
  }

  async function tryUnlock(): Promise<void> {
    isOverwritten = false;
    const accountKey = await readAccountKey();
    const opened = accountKey && (await unlock({ ...deps, courier }, accountKey).catch(noteOverwritten));
    if (accountKey === undefined || opened === undefined) {
      log('device locked', { hasKey: accountKey !== undefined });
      isVaultChecked = true;
      return;
    }
    isVaultChecked = true;
    await deps.keeper.enter(opened, accountKey);
    if (isSame(opened, secrets)) return;
    await enter(opened);
    isNamed = false;
  }

  function noteOverwritten(error: unknown): undefined {
    if (!(error instanceof AppError && error.code === 'reauthenticate')) throw error;
    isOverwritten = true;
    deps.onChange();
  }

  /** What lay in the vault may have been read by somebody else: backup and waiting device get other keys. */
  async function replaceLeaked(): Promise<void> {
    const accountKey = await readAccountKey();
    // One at a time: what a former one still has would be lost.
    if (secrets?.isLeaked !== true || secrets.former !== undefined) return;
    if (backup === undefined || accountKey === undefined) return;
    await renewDehydrated({ ...deps, key: secrets.dehydrated, backUp: keepBackup });
    const replaced = await unlessOvertaken(replaceBackup({ ...deps, courier }, accountKey));
    if (replaced === undefined) return;
    await enter(replaced);
    await facts.put('dehydratedAt', REPLACE_DEHYDRATED);
    log('leaked keys replaced');
  }

  /** The server deletes the genuine entries that were replaced by forged ones after 30 days. */
  async function replaceForged(): Promise<void> {
    const accountKey = await readAccountKey();
    if (secrets === undefined || secrets.former !== undefined || accountKey === undefined) return;
    if (!restorer.isRestored() || backup?.countForged() === 0) return;
    // A server that forges would have a new backup made all the time.
    if (clock.now() - ((await facts.get('forgedAt')) ?? -Infinity) < REPLACE_FORGED_EVERY_MS) return;
    await facts.put('forgedAt', clock.now());
    const replaced = await unlessOvertaken(replaceBackup({ ...deps, courier }, accountKey, { isForged: true }));
    if (replaced === undefined) return;
    await enter(replaced);
    log('forged backup replaced');
  }

  /** The device that replaced it may have died over it: whichever comes next goes on. */
  async function moveFormer(): Promise<void> {
    const accountKey = await readAccountKey();
    if (secrets?.former === undefined || backup === undefined || accountKey === undefined) return;
    const { former } = secrets;
    const from = await readBackup(deps, former);
    if (!(await from.fetchAll(stop).catch(isGone))) return;
    // To the engine, what came from one backup needs no other: only reset it brings everything to this one.
    await engine.machine.disableBackup();
    backup = await openBackup({ ...deps, secrets });
    await backup.upload();
    await deleteFormer(call, former.version);
    secrets = (await unlessOvertaken(forgetFormer({ ...deps, courier }, accountKey))) ?? secrets;
    log('former backup deleted');
    bell.ring();
  }

  /** Another device has written into the vault meanwhile: what it wrote is looked at first. */
  async function unlessOvertaken<T>(writing: Promise<T>): Promise<T | undefined> {
    try {
      return await writing;
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'stale_revision')) throw error;
      isVaultChecked = false;
      bell.ring();
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
      if (!isOther || !defences.backupVersion) throw error;
      await settle();
      await backup.upload();
    }
  }

  async function settle(): Promise<void> {
    const accountKey = await readAccountKey();
    if (accountKey === undefined) throw new AppError('unavailable');
    await enter(await settleBackup({ ...deps, courier }, accountKey));
  }

  /** A stolen session may have deleted it, and nothing may be left to upload. */
  async function checkBackup(): Promise<void> {
    if (backup === undefined || backup.version === checkedVersion || !defences.backupVersion) return;
    if (!(await isCurrentBackup(call, backup.version))) await settle();
    checkedVersion = backup.version;
  }

  async function fetchWanted(): Promise<void> {
    const from = backup;
    if (from !== undefined) await Promise.all(Array.from({ length: FETCHES }, () => fetchSome(from)));
  }

  async function fetchSome(from: Backup): Promise<void> {
    while (!stop.aborted) {
      const wants = wanted.take(clock.now(), restorer.isRestored(), FETCHED);
      if (wants.length === 0) return;
      for (const session of await from.fetchNamed(wants)) wanted.drop(session);
    }
  }

  async function askForSenders(): Promise<void> {
    if (backup === undefined || !defences.formerDevices) return;
    for (let sender = doubts.take(clock.now()); sender !== undefined; sender = doubts.take(clock.now())) {
      if (stop.aborted) return;
      await courier.recall(sender);
      settleDoubts(sender);
    }
  }

  function settleDoubts(sender: AccountId): void {
    const waiting = doubts.listOf(sender);
    if (waiting.length > 0) deps.onKeys(waiting);
  }

  async function renewWaiting(): Promise<void> {
    if (secrets === undefined || !defences.dehydratedDevice) return;
    const visitedAt = await facts.get('dehydratedAt');
    // Mail that stays closed: this device's channel to its sender broke, but the waiting device was sent the key as well.
    const every = wanted.isStuck() ? VISIT_STUCK_EVERY_MS : VISIT_EVERY_MS;
    if (visitedAt !== undefined && clock.now() - visitedAt < every) return;
    // A waiting device of a former identity or key has to be replaced at any age.
    const livesMs = visitedAt === REPLACE_DEHYDRATED ? 0 : DEHYDRATED_LIVES_MS;
    const isRenewed = await visitDehydrated({ ...deps, key: secrets.dehydrated, backUp: keepBackup }, livesMs);
    await facts.put('dehydratedAt', clock.now());
    log('waiting device visited', { isRenewed });
  }

  /** The user document names the key of this identity. Nobody's mail depends on it. */
  async function nameKey(): Promise<void> {
    if (isNamed || secrets === undefined) return;
    isNamed = true;
    await publishMasterKey({ engine, courier, call }).catch((error: unknown) => log('public key not set', { error }));
  }

  async function tend(): Promise<void> {
    const steps = [
      () => courier.flush(),
      async () => (isVaultChecked ? undefined : tryUnlock()),
      async () => {
        await courier.claim([]);
        await courier.flush();
      },
      async () => deps.keeper.keepUp(await readAccountKey()),
      replaceLeaked,
      replaceForged,
      checkBackup,
      keepBackup,
      moveFormer,
      fetchWanted,
      renewWaiting,
      askForSenders,
      nameKey,
    ];
    let failure: unknown;
    for (const step of steps) {
      if (stop.aborted) return;
      // One that fails does not keep the others from their turn.
      await step().catch((error: unknown) => {
        failure ??= error;
        if (isSpoilt(error)) throw error;
      });
    }
    restoring ??= restorer
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
      const heard = bell.rings();
      let waitMs = LOOK_EVERY_MS;
      try {
        // A fresh start writes vault and identity in several steps: whoever looked in between would put the old ones back.
        isTending = true;
        await deps.mutex.run('attend', tend).finally(() => {
          isTending = false;
        });
        failures = 0;
        // A locked device has no backup to ask, however much it wants: it waits to be told.
        const dueAt = backup === undefined ? Infinity : Math.min(wanted.dueAt(restorer.isRestored()), doubts.dueAt());
        waitMs = Math.min(waitMs, Math.max(0, dueAt - clock.now()));
      } catch (error) {
        if (stop.aborted) break;
        log('keys not in step', { code: error instanceof AppError ? error.code : String(error) });
        if (isSpoilt(error))
          return void deps.onConflict(engine.device).catch((cause: unknown) => log('device not renewed', { cause }));
        waitMs = backoffMs(RETRY, failures, randomFraction(random));
        failures += 1;
      }
      await bell.wait(heard, waitMs);
    }
    await restoring;
  }

  return {
    isReady: () => backup !== undefined,
    async whenReady() {
      if (backup !== undefined) return;
      await Promise.race([ready.promise, clock.sleep(READY_WITHIN_MS, stop)]);
      if (backup === undefined) throw new AppError('unavailable');
    },
    want(wish) {
      if (!wish.canWait) restorer.giveWay();
      wanted.add(wish);
      bell.ring();
    },
    unwant: wanted.drop,
    doubt(sender, chat, session) {
      doubts.add(sender, chat, session);
      bell.ring();
    },
    settleDoubts,
    reach(session, index) {
      wanted.reach(session, index);
      doubts.drop(session);
    },
    ring: bell.ring,
    checkVault() {
      isVaultChecked = false;
      bell.ring();
    },
    saveKeys: keepBackup,
    async startFresh() {
      await deps.mutex.run('attend', async () => {
        const accountKey = await readAccountKey();
        if (accountKey === undefined) throw new AppError('unavailable');
        const fresh = await startFresh({ ...deps, courier }, accountKey);
        await deps.keeper.enter(fresh, accountKey);
        await enter(fresh);
        await renewDehydrated({ ...deps, key: secrets?.dehydrated ?? '', backUp: keepBackup });
        await facts.put('dehydratedAt', clock.now());
      });
    },
    isVaultOverwritten: () => isOverwritten || deps.keeper.needsProof(),
    async restoreVault() {
      await deps.mutex.run('attend', tryUnlock);
      if (isOverwritten || deps.keeper.needsProof()) throw new AppError('reauthenticate');
      deps.onChange();
      if (secrets === undefined) throw new AppError('not_found');
      bell.ring();
    },
    counts: () => ({
      wanted: wanted.count(),
      isSeeking: isTending || !isVaultChecked || (backup !== undefined && wanted.isNew()),
      forged: forged + (backup?.countForged() ?? 0),
    }),
    run,
  };
}

/** Another device has done it. */
function isGone(error: unknown): true {
  if (error instanceof AppError && error.code === 'not_found') return true;
  throw error;
}

function isSame(one: Secrets, other: Secrets | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** This device's keys are not, or will never be, what the server has: only a new device helps. */
function isSpoilt(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'key_conflict' || error.code === 'stale_revision');
}
