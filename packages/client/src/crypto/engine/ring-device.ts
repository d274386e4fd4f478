/** What a device does with its keys while it is open. */
import { AppError } from '@dostar/protocol/errors';
import type { AccountId, ChatId, DeviceId } from '@dostar/protocol/ids';
import { chatOf, MatrixRoom, MatrixUser, accountOf } from '@dostar/protocol/matrix-ids';
import type { RoomKeyInfo } from '@matrix-org/matrix-sdk-crypto-wasm';
import { createAttendant } from './key-maintenance.ts';
import type { Call } from '../../net/call.ts';
import { createCourier } from './request-sender.ts';
import type { Defences } from '../defences.ts';
import type { Engine } from './engine.ts';
import type { FactStore } from './key-metadata.ts';
import { acceptIdentity, noteIdentity, readIdentity, readMasterKey } from '../devices/identities.ts';
import type { KeyChanges, RingCounts } from '../key-ring.ts';
import type { KeyRingDeps } from '../key-ring-deps.ts';
import type { Mutex } from '../../lib/mutex.ts';
import { createOwners } from '../devices/device-owners.ts';
import { openMessage } from '../sealing/open.ts';
import { dropChatKey, sealMessage } from '../sealing/seal.ts';
import type { ArrivedKeys, Identity, Opened, SealDraft, Sealed, SealedMail } from '../sealing/sealer.ts';
import { createTracker } from './tracker.ts';
import type { ErasureProofs } from '../../trust/erasure-proof.ts';
import { createTrustKeeper } from '../../trust/trust-keeper.ts';
import { openTrustStore } from '../../trust/trust-store.ts';
import { createVerifier, type Verifier } from '../devices/verification.ts';

export interface RingDevice {
  engine: Engine;
  receive(changes: KeyChanges): Promise<void>;
  seal(draft: SealDraft): Promise<Sealed>;
  open(mail: SealedMail): Promise<Opened>;
  dropChatKey(chat: ChatId): Promise<void>;
  refreshDevices(accounts: readonly AccountId[]): Promise<void>;
  identityOf(account: AccountId): Promise<Identity>;
  acceptIdentity(account: AccountId): Promise<void>;
  pinIdentity(account: AccountId, fingerprint: string): Promise<void>;
  masterKeyOf(account: AccountId): Promise<string | undefined>;
  /** Brings what only this device knows to the backup, as far as it can. */
  saveKeys(): Promise<void>;
  /** Throws `unavailable` while the device is locked. */
  erasures(): ErasureProofs;
  verifier: Verifier;
  startFresh(): Promise<void>;
  isVaultOverwritten(): boolean;
  restoreVault(): Promise<void>;
  counts(): Pick<RingCounts, 'wanted' | 'isSeeking' | 'forged'>;
  nudge(): void;
  close(): Promise<void>;
}

export interface RingDeviceDeps extends KeyRingDeps {
  defences: Defences;
  persist: () => Promise<void>;
  engine: Engine;
  facts: FactStore;
  call: Call;
  mutex: Mutex;
  onKeys(arrived: ArrivedKeys): void;
  onChange(): void;
  onConflict(device: DeviceId): Promise<void>;
}

export async function openRingDevice(deps: RingDeviceDeps): Promise<RingDevice> {
  const { engine, facts, call, defences, log, onKeys } = deps;
  const { machine, library, account } = engine;
  const stop = new AbortController();
  const tracker = await createTracker({ engine, facts, log, courier: () => courier });
  const trust = await openTrustStore({ ...deps, account, isShared: defences.sharedTrust });
  const identities = { engine, trust };
  const identityOf = (one: AccountId): Promise<Identity> => readIdentity(identities, one);
  const courier = createCourier(engine, {
    ...deps,
    onRevisions: tracker.setRevisions,
    async onLists(accounts) {
      for (const one of accounts) {
        await owners.read(one);
        await noteIdentity(identities, one);
      }
      if (trust.hasPending()) attendant.ring();
    },
    onRecall: (one) => owners.read(one),
  });
  const keeper = await createTrustKeeper({
    ...deps,
    trust,
    listFollowed: tracker.listFollowed,
    onWork: () => attendant.ring(),
    onDecided: (one) => attendant.settleDoubts(one),
  });
  const owners = await createOwners({
    engine,
    facts,
    listFollowed: tracker.listFollowed,
    wasTrusted: keeper.wasTrusted,
    recall: async (one) => (defences.formerDevices ? courier.recall(one) : undefined),
  });
  const attendant = createAttendant(
    { ...deps, courier, keeper, ownerOf: owners.ownerOf, hear: owners.hear },
    stop.signal,
  );
  const verifier = createVerifier({
    engine,
    courier,
    call,
    onChange() {
      deps.onChange();
      void noteVerified().catch((error: unknown) => log('verification not noted', { error }));
    },
  });

  /** The engine learns of a verification from the other device, not from an answer of the server. */
  async function noteVerified(): Promise<void> {
    for (const { account: one, phase } of verifier.list()) if (phase === 'done') await noteIdentity(identities, one);
    if (trust.hasPending()) attendant.ring();
  }

  machine.registerRoomKeyUpdatedCallback(async (infos) => {
    const arrived = infos.flatMap(readInfo);
    for (const { session } of arrived) attendant.unwant(session);
    if (defences.lateKeys) onKeys(arrived);
    // Whatever this device learns, the next browser wants to know.
    attendant.ring();
  });
  machine.registerDevicesUpdatedCallback(async (users) => {
    for (const user of users) attendant.settleDoubts(accountOf(MatrixUser.parse(user)));
    deps.onChange();
  });

  if ((await facts.get('isRecalling')) === true) await machine.markAllTrackedUsersAsDirty();
  await tracker.track([account]);
  const run = attendant.run();

  return {
    engine,
    erasures: keeper.erasures,
    verifier,
    async receive({ events, changed, left, oneTimeKeysCount, unusedFallbackKeyTypes, token }) {
      // Before the keys are in: a key is backed up with the name of whose it is. And who sends keys is about to send mail.
      owners.hear(events);
      keeper.hear(events);
      await tracker.follow(events.map(({ sender }) => accountOf(sender)));
      // Of every device: which of them wrote a message is asked when it is opened, and a key thrown away never returns.
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
      await facts.put('token', token);
      if (changed.some((user) => accountOf(user) === account)) attendant.checkVault();
      attendant.ring();
    },
    async seal(draft) {
      await attendant.whenReady();
      // A message has named a newer trust list than this browser has compared: whom to seal for is not known.
      if (!trust.isSettled()) throw new AppError('unavailable');
      return sealMessage({ ...deps, courier, ...tracker, ...keeper, identityOf }, draft);
    },
    async open(mail) {
      const opened = await openMessage(
        {
          engine,
          defences,
          track: tracker.track,
          facts,
          owners,
          trust,
          wasTrusted: keeper.wasTrusted,
          onMark: keeper.readMark,
          onMissing: ({ chat, canWait = false }, session, index) => attendant.want({ chat, session, index, canWait }),
          onDoubt: attendant.doubt,
        },
        mail,
      );
      if (opened.state === 'open') attendant.reach(opened.session, opened.index);
      const isLocked = opened.state === 'waiting' && opened.reason === 'key' && !attendant.isReady();
      return isLocked ? { state: 'waiting', reason: 'locked' } : opened;
    },
    dropChatKey: (chat) => dropChatKey(deps, chat),
    async refreshDevices(accounts) {
      await courier.query(accounts);
    },
    identityOf,
    async acceptIdentity(one) {
      await acceptIdentity(identities, one);
      attendant.settleDoubts(one);
      attendant.ring();
      deps.onChange();
    },
    async pinIdentity(one, fingerprint) {
      await trust.decide([{ kind: 'pinned', account: one, fingerprint }]);
      attendant.ring();
      deps.onChange();
    },
    masterKeyOf: (one) => readMasterKey(engine, one),
    saveKeys: attendant.saveKeys,
    startFresh: attendant.startFresh,
    isVaultOverwritten: attendant.isVaultOverwritten,
    restoreVault: attendant.restoreVault,
    counts: attendant.counts,
    nudge: attendant.checkVault,
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
