/** The leading tab's interface to keys: encryption of messages, and the engine's part of the server connection. */
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
   * emoji are shown. `scanned`: the other side says it has scanned this side's code. `confirmed`: this side has
   * confirmed.
   */
  phase: 'asked' | 'ready' | 'starting' | 'comparing' | 'scanned' | 'confirmed' | 'done' | 'cancelled';
  emoji?: { symbol: string; name: string }[];
  /** The bytes of a code for the other side to scan. */
  code?: Uint8Array;
}

export interface KeyRingCounts {
  opened: number;
  /** Failed attempts to decrypt, by reason. */
  waiting: Record<'key' | 'identity' | 'locked', number>;
  refused: Record<'malformed' | 'sender', number>;
  /** Number of keys that messages wait for now. */
  missingKeys: number;
  /** Missing keys may still arrive: the vault, the backup or the dehydrated device was not fully searched yet. */
  isSeeking: boolean;
  /** Backup entries dropped because this account did not put them there. */
  forged: number;
}

/** Decisions of the person about keys. Any tab may call these; the leading tab executes them. */
export interface KeyActions extends Pick<Sealer, 'identityOf' | 'acceptIdentity'> {
  /** Pins the fingerprint of the account's master key from an invite or a QR code. The first one counts. */
  pinIdentity(account: AccountId, fingerprint: string): Promise<void>;
  /** The public master key of an account, which an invite pins. Undefined if none is known. */
  masterKeyOf(account: AccountId): Promise<string | undefined>;
  /** This account's devices, with their keys. */
  listDevices(): Promise<OwnDevice[]>;
  listVerifications(): Promise<Verification[]>;
  /** Asks every device of the account; for this account, every other device. Returns the id of the verification. */
  requestVerification(account: AccountId): Promise<string>;
  acceptVerification(id: string): Promise<void>;
  startEmoji(id: string): Promise<void>;
  /** `code` is what this device's camera has read from the other screen. */
  scanCode(id: string, code: Uint8Array): Promise<void>;
  /** The person says that the emoji match, or that the other side has scanned the code. */
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
   * Opens this device's keys. Returns the position of the last to-device events that they received; `null`: none yet.
   * Undefined if this key ring receives no to-device events at all.
   */
  openDevice(device: DeviceId): Promise<ToDeviceToken | null | undefined>;
  /** Returns once everything is stored: the caller may acknowledge the token only then (SPEC D4). */
  receive(changes: KeyChanges): Promise<void>;
  /** Proves to this account's other browsers that this account erases the message. */
  proveErasure(message: ErasedMessage): Promise<string>;
  /** Throws `unavailable` while this device is locked. */
  isErasureGenuine(message: ErasedMessage, proof: string): Promise<boolean>;
  /** This browser has become another device: the server connection has to start again. */
  onRenew(listener: () => void): () => void;
  /** Verifications, identities or the state of this device have changed. */
  onChange(listener: () => void): () => void;
  /** Retries now, because an obstacle may be gone: signed in, unlocked, back online. */
  nudge(): void;
}
