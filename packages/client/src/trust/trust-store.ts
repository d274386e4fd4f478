/**
 * This account's trust list in one browser: stored on its disk, and shared with its other browsers through the vault.
 *
 * Promise: a decision takes effect here at once, and an older revision never replaces one that this browser has seen.
 * If the server offers an older list, or different lists to two browsers, a browser notices: by the revision if it has
 * seen a newer one, otherwise at the next message of another browser of the account, which names its list
 * (trust-mark.ts).
 */
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { KeyMetadataStore } from '../crypto/engine/key-metadata.ts';
import type { ClientDeps } from '../deps.ts';
import type { Mutex } from '../lib/mutex.ts';
import { restoreVault } from '../vault/restore-vault.ts';
import { nameAccountKey, readVault, type VaultDeps, type VaultReading, writeVault } from '../vault/vault.ts';
import {
  decodeTrust,
  encodeTrust,
  hashOf,
  isAfter,
  makeNext,
  NOTHING_TRUSTED,
  type VersionedDocument,
} from './trust-document.ts';
import { decide, mergeForked, type TrustDecision, type TrustEntry, type TrustList } from './trust-list.ts';
import type { TrustListVersion } from './trust-mark.ts';

export interface TrustStore {
  /** Whether this browser has the account's list, or knows that none exists yet. */
  isLoaded(): boolean;
  entryOf(account: AccountId): TrustEntry | undefined;
  /** The server's list is outdated: only decisions of this browser count, and no identity is accepted as first seen. */
  isBehind(): boolean;
  /** The list was overwritten, and a session can restore it after re-authentication. */
  needsProof(): boolean;
  /** Whether this list was compared with the newest one that a message named. */
  isSettled(): boolean;
  /** Takes effect at once; the other browsers get the decisions with the next `sync`. */
  decide(decisions: readonly TrustDecision[]): Promise<void>;
  hasPending(): boolean;
  /** The version of this browser's list, which its messages name. */
  version(): TrustListVersion;
  /** Another browser of the account had this version: the list is not settled until this browser has looked for it. */
  noteVersion(version: TrustListVersion): Promise<void>;
  /** Reads the account's list and adds this browser's decisions. Returns the contacts whose entries changed. */
  sync(accountKey: Uint8Array<ArrayBuffer>): Promise<AccountId[]>;
}

interface TrustStoreDeps extends VaultDeps, Pick<ClientDeps, 'log'> {
  keyMetadata: KeyMetadataStore;
  mutex: Mutex;
}

/** In each round another browser is faster, or the revision grows by one. */
const MAX_ROUNDS = 20;

export async function openTrustStore(deps: TrustStoreDeps): Promise<TrustStore> {
  const { keyMetadata, mutex, log } = deps;
  let known = (await keyMetadata.get('trust')) ?? { ...NOTHING_TRUSTED, accountKey: '' };
  let pending = (await keyMetadata.get('trustPending')) ?? [];
  let floor = await keyMetadata.get('trustFloor');
  let isLoaded = known.accountKey !== '';
  let isUnreadable = false;
  let needsProof = false;
  let effective = derive();

  function isBehind(): boolean {
    return isUnreadable || (floor?.isChecked === true && !isAfter(known, floor));
  }

  function derive(): TrustList {
    // While the server withheld the list, identities that this browser saw first prove nothing.
    if (isBehind())
      return decide(
        {},
        pending.filter(({ kind }) => kind !== 'seen'),
      );
    return decide(known.document.list, pending);
  }

  async function setFloor(next: typeof floor): Promise<void> {
    floor = next;
    await keyMetadata.put('trustFloor', next);
  }

  async function keep(versioned: VersionedDocument, saved: readonly TrustDecision[]): Promise<void> {
    known = { ...versioned, accountKey: known.accountKey };
    pending = pending.filter((decision) => !saved.includes(decision));
    await keyMetadata.put('trust', known);
    await keyMetadata.put('trustPending', pending);
  }

  /** After a fresh start the vault of the new account key is empty; this browser's decisions stay. */
  async function adoptAccountKey(name: string): Promise<void> {
    if (known.accountKey === name) return;
    if (known.accountKey !== '') await setFloor(undefined);
    const { list } = known.document;
    known = { rev: 0, hash: '', document: { v: 1, list, trail: [] }, accountKey: name };
  }

  /** Restores an overwritten list only if this browser has none: otherwise it writes its own list over it. */
  async function read(accountKey: Uint8Array<ArrayBuffer>): Promise<VaultReading> {
    const reading = await readVault(deps, 'trust', accountKey);
    needsProof = false;
    if (reading.state !== 'closed' || known.rev > 0) return reading;
    try {
      return await restoreVault(deps, 'trust', accountKey, { rev: reading.rev, seen: 0 });
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'reauthenticate')) throw error;
      needsProof = true;
      return reading;
    }
  }

  /** Reads the vault once and writes the missing decisions. Returns whether the vault has every decision. */
  async function syncOnce(accountKey: Uint8Array<ArrayBuffer>, seen: number): Promise<boolean> {
    const reading = await read(accountKey);
    const plain = reading.state === 'open' ? reading.plain : undefined;
    const document = plain && decodeTrust(plain);
    const theirs = plain && document && { rev: reading.rev, hash: await hashOf(plain), document };
    isLoaded = true;
    const isFirstReading = known.rev === 0 && (await keyMetadata.get('madeVaultKey')) !== known.accountKey;
    isUnreadable = reading.state !== 'empty' && theirs === undefined && isFirstReading;
    if (floor !== undefined) await setFloor({ ...floor, isChecked: true });
    // A newer version of this app wrote the list: this browser's own list counts until this app is updated.
    if (reading.state === 'open' && theirs === undefined) return true;
    const isOlder = reading.rev < seen || (theirs === undefined && seen > 0);
    if (theirs !== undefined && !isOlder && isAfter(theirs, known)) await keep(theirs, []);
    else if (isOlder || theirs !== undefined) log('trust list not the newest', { seen, rev: reading.rev });
    if (isBehind()) {
      log('trust list behind', { rev: known.rev });
      return true;
    }
    return write(accountKey, reading.rev, theirs, seen);
  }

  async function write(
    accountKey: Uint8Array<ArrayBuffer>,
    rev: number,
    theirs: VersionedDocument | undefined,
    seen: number,
  ): Promise<boolean> {
    const saved = pending;
    const ours = known.document.list;
    const isOurs = theirs === undefined || isAfter(known, theirs);
    const list = decide(isOurs ? ours : mergeForked(ours, theirs.document.list), saved);
    if (rev >= seen && JSON.stringify(list) === JSON.stringify(theirs?.document.list ?? {})) {
      await keep(known, saved);
      return true;
    }
    // After a fresh start in another browser, the vault belongs to another account key.
    if (theirs === undefined && (await readVault(deps, 'secrets', accountKey)).state !== 'open') {
      log('trust list not written');
      return true;
    }
    const document = makeNext(list, theirs === undefined ? [known] : [theirs, known]);
    const plain = encodeTrust(document);
    const written = await writeVault(deps, 'trust', accountKey, { rev, plain });
    await keep({ rev: written, hash: await hashOf(plain), document }, saved);
    // A server restored from a backup counts revisions from an older one: write until this revision is the newest seen.
    return written >= seen;
  }

  return {
    isLoaded: () => isLoaded,
    entryOf: (account) => effective[account],
    isBehind,
    needsProof: () => needsProof,
    isSettled: () => floor?.isChecked !== false,
    hasPending: () => pending.length > 0,
    version: () => ({ rev: known.rev, hash: known.hash }),
    async decide(decisions) {
      pending = [...pending, ...decisions];
      effective = derive();
      await keyMetadata.put('trustPending', pending);
    },
    async noteVersion(version) {
      if (isAfter(known, version) || (floor !== undefined && floor.rev >= version.rev && !isAfter(known, floor)))
        return;
      await setFloor({ ...version, isChecked: false });
    },
    sync: (accountKey) =>
      mutex.run('trust', async () => {
        const before = effective;
        await adoptAccountKey(await nameAccountKey(accountKey));
        const seen = known.rev;
        try {
          for (let round = 0; round < MAX_ROUNDS; round += 1) {
            if (await syncOnce(accountKey, seen).catch(ignoreStale)) break;
          }
        } finally {
          effective = derive();
        }
        return listChanged(before, effective);
      }),
  };
}

/** Another browser was faster: the list has to be read again. */
function ignoreStale(error: unknown): false {
  if (error instanceof AppError && error.code === 'stale_revision') return false;
  throw error;
}

function listChanged(before: TrustList, after: TrustList): AccountId[] {
  const accounts = Object.keys({ ...before, ...after }) as AccountId[];
  return accounts.filter((account) => JSON.stringify(before[account]) !== JSON.stringify(after[account]));
}
