/**
 * Fetches the whole backup, but later than the keys that messages wait for: its import keeps the engine busy for
 * seconds.
 */
import { type Backoff, backoffMs, randomFraction } from '../../lib/backoff.ts';
import type { ClientDeps } from '../../deps.ts';
import type { Backup } from '../../vault/backup.ts';
import type { KeyMetadataStore } from './key-metadata.ts';

/** The rest of the backup is fetched after this long without a key request, and after the deadline in any case. */
const QUIET_MS = 3_000;
const RESTORE_DEADLINE_MS = 15_000;

interface BackupRestorerDeps extends Pick<ClientDeps, 'clock' | 'random' | 'log'> {
  keyMetadata: Pick<KeyMetadataStore, 'get' | 'put'>;
  retry: Backoff;
  /** The backup in use; undefined before there is one. */
  backup(): Backup | undefined;
  onRestored(): void;
}

export interface BackupRestorer {
  /** Whether every entry of the backup in use was fetched. */
  isRestored(): boolean;
  /** A message on the screen waits for a key: the rest of the backup is fetched later. */
  defer(): void;
  /** Returns once every entry was fetched, or another backup is in use. */
  restore(): Promise<void>;
}

export function createBackupRestorer(deps: BackupRestorerDeps, stop: AbortSignal): BackupRestorer {
  const { keyMetadata, clock, random, log, retry, backup, onRestored } = deps;
  /** The version of the backup whose entries were all fetched. */
  let restored: string | undefined;
  /** When `defer` was last called. */
  let wantedAt = clock.now();

  const isRestored = (): boolean => restored !== undefined && restored === backup()?.version;

  /** Returns whether every entry was fetched: meanwhile another backup may replace this one. */
  async function fetchRemaining(from: Backup): Promise<boolean> {
    const latest = clock.now() + RESTORE_DEADLINE_MS;
    while (!stop.aborted && clock.now() < Math.min(latest, wantedAt + QUIET_MS)) await clock.sleep(QUIET_MS / 4, stop);
    const isCurrent = () => !stop.aborted && from === backup();
    for (let failures = 0; isCurrent(); failures += 1) {
      try {
        if (!(await from.fetchAll(stop))) return false;
        await keyMetadata.put('restored', from.version);
        return true;
      } catch (error) {
        log('backup not restored', { error });
        await clock.sleep(backoffMs(retry, failures, randomFraction(random)), stop);
      }
    }
    return false;
  }

  return {
    isRestored,
    defer() {
      wantedAt = clock.now();
    },
    async restore() {
      const from = backup();
      if (from === undefined || isRestored()) return;
      if ((await keyMetadata.get('restored')) === from.version || (await fetchRemaining(from))) restored = from.version;
      onRestored();
    },
  };
}
