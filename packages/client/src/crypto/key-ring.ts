/** What the leading tab needs from keys: encryption of messages, and the engine's part of the connection to the server. */
import type { AccountId, DeviceId } from '@dostar/protocol/ids';
import type { ServerFrame, ToDeviceToken } from '@dostar/protocol/realtime';
import type { OwnDevice } from './devices/devices.ts';
import type { ErasedMessage } from '../trust/erasure-proof.ts';
import type { Sealer } from './sealing/sealer.ts';

/** One frame's to-device events, and the accounts whose devices changed. */
export type KeyChanges = Omit<Extract<ServerFrame, { t: 'to_device' }>, 't'>;

export interface Verification {
  id: string;
  account: AccountId;
  weStarted: boolean;
  /**
   * `asked`: one side waits for the other to accept. `ready`: both may begin, by emoji or by scanning. `comparing`: the
   * emoji are shown. `scanned`: the other side says it has scanned this one's code. `confirmed`: this side has agreed.
   */
  phase: 'asked' | 'ready' | 'starting' | 'comparing' | 'scanned' | 'confirmed' | 'done' | 'cancelled';
  emoji?: { symbol: string; name: string }[];
  /** The bytes of a code for the other side to scan. */
  code?: Uint8Array;
}

export interface KeyRingCounts {
  opened: number;
  /** Tries that had to wait, by reason. */
  waiting: Record<'key' | 'identity' | 'locked', number>;
  refused: Record<'malformed' | 'sender', number>;
  /** Keys that messages wait for now. */
  missingKeys: number;
  /** The vault, the backup or the dehydrated device may still have some of them: not all were fetched once. */
  isSeeking: boolean;
  /** Backup entries dropped because this account did not put them there. */
  forged: number;
}

/** What a person decides about keys, in any tab: the leading tab carries it out. */
export interface KeyActions extends Pick<Sealer, 'identityOf' | 'acceptIdentity'> {
  /** An invite or a QR code names the fingerprint of the account's master key. The first one counts. */
  pinIdentity(account: AccountId, fingerprint: string): Promise<void>;
  /** The public master key of an account: what an invitation pins. Undefined if none is known. */
  masterKeyOf(account: AccountId): Promise<string | undefined>;
  /** This account's devices, with what their keys say. */
  listDevices(): Promise<OwnDevice[]>;
  listVerifications(): Promise<Verification[]>;
  /** Asks every device of the account; of one's own account, every other device. Answers the verification's id. */
  requestVerification(account: AccountId): Promise<string>;
  acceptVerification(id: string): Promise<void>;
  startEmoji(id: string): Promise<void>;
  /** What this device's camera read from the other's screen. */
  scanCode(id: string, code: Uint8Array): Promise<void>;
  /** The emoji match, or the other side says it has scanned the code. */
  confirmVerification(id: string): Promise<void>;
  cancelVerification(id: string): Promise<void>;
  /**
   * Makes a new identity, backup and dehydrated device, for a person who has lost all access to the old ones. The new
   * account key is stored already. Throws `reauthenticate` without a recent re-authentication.
   */
  startFresh(): Promise<void>;
  /** The account's vault was overwritten without its key, and can be restored after re-authentication. */
  isVaultOverwritten(): Promise<boolean>;
  /** Throws `reauthenticate` without a recent re-authentication, and `not_found` if no earlier copy can be decrypted. */
  restoreVault(): Promise<void>;
  /** Numbers only, for statistics and proofs. */
  counts(): Promise<KeyRingCounts>;
}

export interface KeyRing extends Sealer, KeyActions, AsyncDisposable {
  /**
   * Opens this device's keys and returns the position of the last to-device events they received; `null`: none yet.
   * Undefined if this key ring receives none at all.
   */
  openDevice(device: DeviceId): Promise<ToDeviceToken | null | undefined>;
  /** Returns when everything is stored: only then may the token be acknowledged (SPEC D4). */
  receive(changes: KeyChanges): Promise<void>;
  /** Proves to this account's other browsers that this account erases the message. */
  proveErasure(message: ErasedMessage): Promise<string>;
  /** Throws `unavailable` while this device is locked. */
  isErasureGenuine(message: ErasedMessage, proof: string): Promise<boolean>;
  /** This browser has become another device: the connection to the server has to start again. */
  onRenew(listener: () => void): () => void;
  /** Verifications, identities or the state of this device have changed. */
  onChange(listener: () => void): () => void;
  /** An obstacle may be gone: signed in, unlocked, back online. */
  nudge(): void;
}
