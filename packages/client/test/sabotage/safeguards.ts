/**
 * Changes that leave one safeguard out of the client, by the safeguard's name. Tests and proofs show what it prevents.
 */
import type { Change } from './change.ts';

export const WITHOUT = {
  /** Room keys go only to devices that their owner's identity has signed. */
  signedDevicesOnly: [
    {
      file: 'crypto/sealing/share-key.ts',
      phrase: 'library.CollectStrategy.identityBasedStrategy()',
      replacement: 'library.CollectStrategy.allDevices()',
    },
    { file: 'crypto/sealing/share-key.ts', phrase: 'if (device.isCrossSignedByOwner()) ', replacement: '' },
  ],
  /** A message is decrypted only if the account it claims to come from encrypted it. */
  senderCheck: [
    {
      file: 'crypto/sealing/open.ts',
      phrase: 'deps.engine.library.TrustRequirement.CrossSignedOrLegacy',
      replacement: 'deps.engine.library.TrustRequirement.Untrusted',
    },
    {
      file: 'crypto/sealing/open.ts',
      phrase:
        'if (owner === undefined) return explain(deps, message, envelope, library.DecryptionErrorCode.UnknownSenderDevice);',
      replacement: '',
    },
    {
      file: 'crypto/sealing/open.ts',
      phrase: "if (owner !== message.sender) return { state: 'refused', reason: 'sender' };",
      replacement: '',
    },
  ],
  /** Entries of the backup that this account did not authenticate are dropped. */
  backupMac: [
    {
      file: 'vault/backup.ts',
      phrase: 'const genuine = await dropForged(rooms, mac);',
      replacement: 'const genuine = rooms;',
    },
  ],
  /** A key from the backup decrypts only messages of the account whose signed device is known to have sent it. */
  restoredOwner: [
    {
      file: 'crypto/sealing/open.ts',
      phrase: 'if (owner === undefined) return',
      replacement: 'if (restored === undefined) return',
    },
    {
      file: 'crypto/sealing/open.ts',
      phrase: 'if (owner !== message.sender) return',
      replacement: 'if (owner !== undefined && owner !== message.sender) return',
    },
  ],
  /** The client queries deleted devices when it gets a key of one of them. */
  formerDevices: [
    {
      file: 'crypto/engine/request-sender.ts',
      phrase: 'async loadFormerDevices(account) {',
      replacement: 'async loadFormerDevices(account) {\n      return;',
    },
  ],
  /** Nothing is encrypted for a changed identity until the user accepts it. */
  identityBlock: [
    {
      file: 'crypto/sealing/seal.ts',
      phrase: "if (identity === 'changed' || identity === 'withdrawn') throw new AppError('identity_changed');",
      replacement: '',
    },
  ],
  /** A message is shown only if an identity that this account trusts has signed the device that encrypted it. */
  heldMessages: [
    {
      file: 'crypto/sealing/open.ts',
      phrase: "if (opened.state !== 'open') return opened;",
      replacement: 'return opened;',
    },
  ],
  /** All browsers of the account, also new ones, trust the same identities. */
  sharedTrust: [
    {
      file: 'trust/trust-store.ts',
      phrase: "let isLoaded = known.accountKey !== '';",
      replacement: 'let isLoaded = true;',
    },
    {
      file: 'trust/trust-store.ts',
      phrase: "mutex.run('trust', async () => {",
      replacement: "mutex.run('trust', async () => {\n        return [];",
    },
  ],
  /** Messages name the trust list that their browser knew. */
  trustMark: [
    {
      file: 'crypto/sealing/seal.ts',
      phrase: 'const mark = await deps.makeMark();',
      replacement: 'const mark = undefined;',
    },
  ],
  /** An identity is checked in the same step that shares the key. */
  oneStep: [{ file: 'crypto/sealing/seal.ts', phrase: 'await requireTrusted(deps, to);', replacement: '' }],
  /** A message names the device lists it was encrypted for, so that the server refuses one that leaves devices out. */
  deviceRevisions: [
    { file: 'crypto/sealing/seal.ts', phrase: 'return { body, devices };', replacement: 'return { body };' },
  ],
  /** Only one send at a time encrypts for a chat. */
  sealLocks: [
    {
      file: 'crypto/sealing/seal.ts',
      phrase: 'return deps.mutex.run(`seal/${message.chat}`, () => sealOne(deps, message));',
      replacement: 'return sealOne(deps, draft);',
    },
  ],
  /** Messages that could not be decrypted are tried again when their key arrives. */
  lateKeys: [{ file: 'crypto/engine/crypto-device.ts', phrase: 'onKeys(arrived);', replacement: '' }],
  /** A browser that lost its keys becomes a new device. */
  freshDevice: [
    {
      file: 'crypto/create-key-ring.ts',
      phrase: 'async function renew(device: DeviceId): Promise<void> {',
      replacement: 'async function renew(device: DeviceId): Promise<void> {\n    return;',
    },
  ],
  /** The dehydrated device receives keys on the server while no device of the account is signed in. */
  dehydratedDevice: [
    {
      file: 'crypto/engine/key-maintenance.ts',
      phrase: 'async function visitDehydratedDevice(): Promise<void> {',
      replacement: 'async function visitDehydratedDevice(): Promise<void> {\n    return;',
    },
  ],
  /** The client uses the backup that the vault names, whatever the server calls current. */
  backupVersion: [
    { file: 'crypto/engine/key-maintenance.ts', phrase: 'if (!isOther) throw error;', replacement: 'throw error;' },
    {
      file: 'crypto/engine/key-maintenance.ts',
      phrase: 'async function checkBackup(): Promise<void> {',
      replacement: 'async function checkBackup(): Promise<void> {\n    return;',
    },
  ],
} satisfies Record<string, Change[]>;

export type Safeguard = keyof typeof WITHOUT;

export function changesWithout(safeguards: readonly Safeguard[]): Change[] {
  return safeguards.flatMap((safeguard) => WITHOUT[safeguard]);
}
