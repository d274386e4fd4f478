/** An open device: receives keys, encrypts and decrypts. */
import { AppError } from '@dostar/protocol/errors';
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import { chatOf, MatrixRoom, MatrixUser, accountOf } from '@dostar/protocol/matrix-ids';
import type { RoomKeyInfo } from '@matrix-org/matrix-sdk-crypto-wasm';
import { createKeyMaintenance } from './key-maintenance.ts';
import type { CryptoDeviceDeps } from './crypto-device-deps.ts';
import { createRequestSender } from './request-sender.ts';
import type { Engine } from './engine.ts';
import { acceptIdentity, noteIdentity, readIdentity, readMasterKey } from '../devices/identities.ts';
import type { KeyChanges, KeyRingCounts } from '../key-ring.ts';
import { createDeviceOwners } from '../devices/device-owners.ts';
import { openMessage } from '../sealing/open.ts';
import { dropChatKey, sealMessage } from '../sealing/seal.ts';
import type { Identity, Opened, MessageToSeal, Sealed, SealedMessage } from '../sealing/sealer.ts';
import { createDeviceTracker } from './device-tracker.ts';
import type { ErasureProofs } from '../../trust/erasure-proof.ts';
import { createTrustSync } from '../../trust/trust-sync.ts';
import { openTrustStore } from '../../trust/trust-store.ts';
import { createVerifier, type Verifier } from '../devices/verification.ts';

export interface CryptoDevice {
  engine: Engine;
  receive(changes: KeyChanges): Promise<void>;
  seal(message: MessageToSeal): Promise<Sealed>;
  open(message: SealedMessage): Promise<Opened>;
  dropChatKey(chat: ChatId): Promise<void>;
  refreshDevices(accounts: readonly AccountId[]): Promise<void>;
  identityOf(account: AccountId): Promise<Identity>;
  acceptIdentity(account: AccountId): Promise<void>;
  pinIdentity(account: AccountId, fingerprint: string): Promise<void>;
  masterKeyOf(account: AccountId): Promise<string | undefined>;
  /** Uploads the keys that only this device has to the backup, as far as possible. */
  saveKeys(): Promise<void>;
  /** Throws `unavailable` while the device is locked. */
  erasures(): ErasureProofs;
  verifier: Verifier;
  startFresh(): Promise<void>;
  isVaultOverwritten(): boolean;
  restoreVault(): Promise<void>;
  counts(): Pick<KeyRingCounts, 'missingKeys' | 'isSeeking' | 'forged'>;
  nudge(): void;
  close(): Promise<void>;
}

export async function openCryptoDevice(deps: CryptoDeviceDeps): Promise<CryptoDevice> {
  const { engine, keyMetadata, call, log, onKeys } = deps;
  const { machine, library, account } = engine;
  const stop = new AbortController();
  const tracker = await createDeviceTracker({ engine, keyMetadata, log, requestSender: () => requestSender });
  const trust = await openTrustStore({ ...deps, account });
  const identities = { engine, trust };
  const identityOf = (one: AccountId): Promise<Identity> => readIdentity(identities, one);
  const requestSender = createRequestSender(engine, {
    ...deps,
    onRevisions: tracker.setRevisions,
    async onDeviceLists(accounts) {
      for (const one of accounts) {
        await owners.read(one);
        await noteIdentity(identities, one);
      }
      if (trust.hasPending()) keyMaintenance.trigger();
    },
    onFormerDevices: (one) => owners.read(one),
  });
  const trustSync = await createTrustSync({
    ...deps,
    trust,
    listFollowed: tracker.listFollowed,
    onWork: () => keyMaintenance.trigger(),
    onDecided: (one) => keyMaintenance.retryUnverified(one),
  });
  const owners = await createDeviceOwners({
    engine,
    keyMetadata,
    listFollowed: tracker.listFollowed,
    wasTrusted: trustSync.wasTrusted,
    loadFormerDevices: requestSender.loadFormerDevices,
  });
  const keyMaintenance = createKeyMaintenance(
    { ...deps, requestSender, trustSync, ownerOf: owners.ownerOf, observeEvents: owners.observeEvents },
    stop.signal,
  );
  const verifier = createVerifier({
    engine,
    requestSender,
    call,
    onChange() {
      deps.onChange();
      void noteVerified().catch((error: unknown) => log('verification not noted', { error }));
    },
  });

  /** Verifications arrive from the other device, not in a response of the server, so they are noted here. */
  async function noteVerified(): Promise<void> {
    for (const { account: one, phase } of verifier.list()) if (phase === 'done') await noteIdentity(identities, one);
    if (trust.hasPending()) keyMaintenance.trigger();
  }

  machine.registerRoomKeyUpdatedCallback(async (infos) => {
    const arrived = infos.flatMap(readInfo);
    for (const { session } of arrived) keyMaintenance.cancelKeyRequest(session);
    onKeys(arrived);
    // New keys have to reach the backup, from which the account's next browser reads them.
    keyMaintenance.trigger();
  });
  machine.registerDevicesUpdatedCallback(async (users) => {
    for (const user of users) keyMaintenance.retryUnverified(accountOf(MatrixUser.parse(user)));
    deps.onChange();
  });

  if ((await keyMetadata.get('isRecalling')) === true) await machine.markAllTrackedUsersAsDirty();
  await tracker.track([account]);
  const run = keyMaintenance.run();

  return {
    engine,
    erasures: trustSync.erasures,
    verifier,
    async receive({ events, changed, left, oneTimeKeysCount, unusedFallbackKeyTypes, token }) {
      // Before the keys are stored: the backup entry of a key names its owner, and the sender is about to send a
      // message.
      owners.observeEvents(events);
      trustSync.observeEvents(events);
      await tracker.follow(events.map(({ sender }) => accountOf(sender)));
      // Accept keys from every device: the sender is checked when a message is decrypted, and a refused key never
      // returns.
      const settings = new library.DecryptionSettings(library.TrustRequirement.Untrusted);
      const processed = await machine.receiveSyncChanges(
        JSON.stringify(events),
        new library.DeviceLists(
          changed.map((user) => new library.UserId(user)),
          left.map((user) => new library.UserId(user)),
        ),
        new Map(Object.entries(oneTimeKeysCount)),
        new Set(unusedFallbackKeyTypes),
        settings,
      );
      for (const event of processed) event.free();
      await verifier.follow(events).catch((error: unknown) => log('verification not followed', { error }));
      await deps.persist();
      await keyMetadata.put('token', token);
      if (changed.some((user) => accountOf(user) === account)) keyMaintenance.checkVault();
      keyMaintenance.trigger();
    },
    async seal(message) {
      await keyMaintenance.whenReady();
      // A message named a newer trust list than this browser has seen, so the trusted recipients are not known.
      if (!trust.isSettled()) throw new AppError('unavailable');
      return sealMessage({ ...deps, requestSender, ...tracker, ...trustSync, identityOf }, message);
    },
    async open(message) {
      const opened = await openMessage(
        {
          engine,
          track: tracker.track,
          keyMetadata,
          owners,
          trust,
          wasTrusted: trustSync.wasTrusted,
          onMark: trustSync.readMark,
          onMissing: ({ chat, canWait = false }, session, index) =>
            keyMaintenance.requestKey({ chat, session, index, canWait }),
          onUnverifiedSender: keyMaintenance.noteUnverifiedSender,
        },
        message,
      );
      if (opened.state === 'open') keyMaintenance.noteDecrypted(opened.session, opened.index);
      const isLocked = opened.state === 'waiting' && opened.reason === 'key' && !keyMaintenance.isReady();
      return isLocked ? { state: 'waiting', reason: 'locked' } : opened;
    },
    dropChatKey: (chat) => dropChatKey(deps, chat),
    async refreshDevices(accounts) {
      await requestSender.query(accounts);
    },
    identityOf,
    async acceptIdentity(one) {
      await acceptIdentity(identities, one);
      keyMaintenance.retryUnverified(one);
      keyMaintenance.trigger();
      deps.onChange();
    },
    async pinIdentity(one, fingerprint) {
      await trust.decide([{ kind: 'pinned', account: one, fingerprint }]);
      keyMaintenance.trigger();
      deps.onChange();
    },
    masterKeyOf: (one) => readMasterKey(engine, one),
    saveKeys: keyMaintenance.saveKeys,
    startFresh: keyMaintenance.startFresh,
    isVaultOverwritten: keyMaintenance.isVaultOverwritten,
    restoreVault: keyMaintenance.restoreVault,
    counts: keyMaintenance.counts,
    nudge: keyMaintenance.checkVault,
    async close() {
      stop.abort();
      await run;
      engine.close();
    },
  };
}

function readInfo(info: RoomKeyInfo): { chat: ChatId; session: string }[] {
  using room = info.roomId;
  const name = MatrixRoom.safeParse(room.toString());
  const { sessionId: session } = info;
  info.free();
  return name.success ? [{ chat: chatOf(name.data), session }] : [];
}
