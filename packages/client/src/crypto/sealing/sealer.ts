/**
 * Encrypts and decrypts messages. Callers pass and get bytes and see no keys.
 *
 * Only the leading tab has a sealer; the outbox and the decryptor run only there.
 */
import type { AccountId, ChatId, MessageId } from '@dostar/protocol/ids';

/** The revisions of the device lists that a message was encrypted for (SPEC S6). */
export interface DeviceRevisions {
  own: number;
  peer: number;
}

/** Details of `unavailable`: the recipient has no device to encrypt for. A blocked sender gets the same (SPEC K5). */
export const NO_READER = { reason: 'no reader' };

export interface MessageToSeal {
  to: AccountId;
  chat: ChatId;
  /** The padded plaintext of `protocol/content`. */
  content: Uint8Array;
}

export interface Sealed {
  body: Uint8Array;
  /** Sent with the body; missing if the message is not encrypted. */
  devices?: DeviceRevisions;
}

export interface SealedMessage {
  chat: ChatId;
  sender: AccountId;
  id: MessageId;
  at: number;
  body: Uint8Array;
  /** The message is not visible: its missing key may come with the whole backup, and is not requested individually. */
  canWait?: boolean;
}

/**
 * How well the author is authenticated. `own`: this account. `verified`: a person whose keys were compared. `known`:
 * signed by the identity first seen. `restored`: opened with a key from the account's own authenticated backup.
 */
export type Trust = 'own' | 'verified' | 'known' | 'restored';

export type Opened =
  | {
      state: 'open';
      content: Uint8Array;
      trust: Trust;
      /**
       * Session and index at which it was encrypted: a second message with the same pair is a replay and is refused.
       */
      session: string;
      index: number;
    }
  /**
   * Can't be opened yet; `onKeys` reports when to retry. `key`: its key has not arrived. `identity`: the identity that
   * signed the sending device is not accepted by the person. `locked`: this device has no keys until it is unlocked.
   */
  | { state: 'waiting'; reason: 'key' | 'identity' | 'locked' }
  /**
   * Can never be opened. `malformed`: not a sealed message. `sender`: another account than the stated sender sealed it.
   */
  | { state: 'refused'; reason: 'malformed' | 'sender' };

/** `all`: something changed for every waiting message, such as an unlock. */
export type ArrivedKeys = 'all' | readonly { chat: ChatId; session: string }[];

/**
 * What is known of a contact's identity. `unknown`: the contact has published none yet. `invited`: an invite named it.
 * `changed`: it is not the identity first seen; until the person accepts it, nothing is encrypted for it and none of
 * its messages is shown. `withdrawn`: it was verified, and has changed since.
 */
export type Identity = 'unknown' | 'known' | 'invited' | 'verified' | 'changed' | 'withdrawn';

export interface Sealer {
  /**
   * Encrypts for all devices of both accounts. Throws an AppError: `identity_changed` until the person accepts,
   * `unavailable` while the server can't be asked for keys or this device is locked, and `unavailable` with `NO_READER`
   * while the recipient has no device that could read the message.
   */
  seal(message: MessageToSeal): Promise<Sealed>;
  /**
   * Makes the next message of the chat use a new key. Called after the server refused a message: it may have dropped
   * the events that share the present key (SPEC D2).
   */
  dropChatKey(chat: ChatId): Promise<void>;
  /** Content of other accounts never makes it throw. */
  open(message: SealedMessage): Promise<Opened>;
  /** The session that a sealed body needs; when `onKeys` names it, the message is tried again. */
  sessionOf(body: Uint8Array): string | undefined;
  /** Queries the devices of these accounts again, after `stale_devices`. */
  refreshDevices(accounts: readonly AccountId[]): Promise<void>;
  onKeys(listener: (arrived: ArrivedKeys) => void): () => void;
  identityOf(account: AccountId): Promise<Identity>;
  /** The person has seen that the identity changed, and accepts the new one. */
  acceptIdentity(account: AccountId): Promise<void>;
}
