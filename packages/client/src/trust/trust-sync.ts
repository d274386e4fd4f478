/** Syncs the trust list of an open device with the account's other browsers and with what the engine learns. */
import { sendToDevice } from '@dostar/protocol/contract/to-device';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import { userOf } from '@dostar/protocol/matrix-ids';
import { fromBase64 } from '../crypto/base64.ts';
import type { Call } from '../net/call.ts';
import type { Engine } from '../crypto/engine/engine.ts';
import type { KeyMetadataStore } from '../crypto/engine/key-metadata.ts';
import { noteIdentity } from '../crypto/devices/identities.ts';
import type { KeyChanges } from '../crypto/key-ring.ts';
import type { ClientDeps } from '../deps.ts';
import { masterKeyOf } from '../vault/identity.ts';
import type { Secrets } from '../vault/secrets.ts';
import { type ErasureProofs, openErasureProofs } from './erasure-proof.ts';
import { openTrustMarks, type TrustMarks } from './trust-mark.ts';
import { wasTrusted } from './trust-list.ts';
import type { TrustStore } from './trust-store.ts';

/** Makes the account's other browsers read the list. It proves nothing, and costs them one request. */
const HINT_TYPE = 'dostar.trust';

export interface TrustSync {
  /** Before the device is ready: a browser that does not know whom the account trusts must not believe the server. */
  enter(secrets: Secrets, accountKey: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Writes the decisions made here, and reads the list that a message or a hint named. */
  syncIfDue(accountKey: Uint8Array<ArrayBuffer> | undefined): Promise<void>;
  /** The list was overwritten, and a session can restore it after re-authentication. */
  needsProof(): boolean;
  /** Whether this account trusts that identity of the other account now, or did before. */
  wasTrusted(account: AccountId, masterKey: string): boolean;
  ownMasterKey(): string | undefined;
  makeMark(): Promise<string | undefined>;
  readMark(mark: string): Promise<void>;
  observeEvents(events: KeyChanges['events']): void;
  /** Throws `unavailable` while the device is locked. */
  erasures(): ErasureProofs;
}

interface TrustSyncDeps extends Pick<ClientDeps, 'log' | 'random'> {
  engine: Engine;
  trust: TrustStore;
  keyMetadata: KeyMetadataStore;
  call: Call;
  listFollowed(): Iterable<AccountId>;
  /** There are decisions to write, or a newer list to read. */
  onWork(): void;
  /** There is a decision about this account: messages that wait for one may be retried. */
  onDecided(account: AccountId): void;
  onChange(): void;
}

export async function createTrustSync(deps: TrustSyncDeps): Promise<TrustSync> {
  const { engine, trust, keyMetadata, call, log, onWork } = deps;
  const ownMasters = new Set((await keyMetadata.get('ownMasters')) ?? []);
  let ownMaster: string | undefined;
  let marks: TrustMarks | undefined;
  let proofs: ErasureProofs | undefined;
  let isHinted = false;

  async function sync(accountKey: Uint8Array<ArrayBuffer>): Promise<void> {
    isHinted = false;
    const before = trust.version();
    const changed = await trust.sync(accountKey);
    for (const account of deps.listFollowed()) await noteIdentity({ engine, trust }, account);
    for (const account of changed) deps.onDecided(account);
    if (changed.length > 0) deps.onChange();
    if (trust.hasPending()) await trust.sync(accountKey);
    if (trust.version().hash !== before.hash) await sendHint();
  }

  async function sendHint(): Promise<void> {
    const txn = Array.from(deps.random(16), (byte) => byte.toString(16).padStart(2, '0')).join('');
    const messages = { [userOf(engine.account)]: { '*': {} } };
    await call(sendToDevice, { type: HINT_TYPE, txn, messages }).catch((error: unknown) =>
      log('hint not sent', { error }),
    );
  }

  return {
    async enter({ bundle, identity }, accountKey) {
      ownMaster = masterKeyOf(identity);
      if (ownMaster !== undefined) ownMasters.add(ownMaster);
      await keyMetadata.put('ownMasters', [...ownMasters]);
      const seed = fromBase64(bundle.cross_signing.user_signing_key);
      marks = await openTrustMarks(seed);
      proofs = await openErasureProofs(seed);
      await sync(accountKey);
    },
    async syncIfDue(accountKey) {
      const isDue = isHinted || trust.hasPending() || !trust.isSettled();
      if (accountKey !== undefined && ownMaster !== undefined && isDue) await sync(accountKey);
    },
    wasTrusted: (account, masterKey) =>
      account === engine.account ? ownMasters.has(masterKey) : wasTrusted(trust.entryOf(account), masterKey),
    needsProof: trust.needsProof,
    ownMasterKey: () => ownMaster,
    makeMark: async () => (trust.version().rev > 0 ? marks?.make(trust.version()) : undefined),
    async readMark(mark) {
      const version = await marks?.read(mark);
      if (version === undefined) return;
      await trust.noteVersion(version);
      if (!trust.isSettled()) onWork();
    },
    erasures() {
      if (proofs === undefined) throw new AppError('unavailable');
      return proofs;
    },
    observeEvents(events) {
      const own = userOf(engine.account);
      if (!events.some(({ type, sender }) => type === HINT_TYPE && sender === own)) return;
      isHinted = true;
      onWork();
    },
  };
}
