/**
 * Encrypts and decrypts messages. Its callers see bytes on both sides and no key.
 *
 * Only the tab that leads has a sealer; the outbox and the decryptor run there and nowhere else.
 */
import type { AccountId, ChatId, MessageId } from '@dostar/protocol/ids';

/** The device lists a message was sealed for (SPEC S6). */
export interface DeviceRevisions {
  own: number;
  peer: number;
}

/** Details of `unavailable`: the recipient has no device to encrypt for. To a blocked sender it looks the same (SPEC K5). */
export const NO_READER = { reason: 'no reader' };

export interface SealDraft {
  to: AccountId;
  chat: ChatId;
  /** The padded plaintext of `protocol/content`. */
  content: Uint8Array;
}

export interface Sealed {
  body: Uint8Array;
  /** Sent along with the body; missing where nothing is sealed. */
  devices?: DeviceRevisions;
}

export interface SealedMessage {
  chat: ChatId;
  sender: AccountId;
  id: MessageId;
  at: number;
  body: Uint8Array;
  /** It is not visible: a missing key may come with the rest of the backup, and is not requested by itself. */
  canWait?: boolean;
}

/**
 * What is known of who wrote it. `own`: this account. `verified`: a person whose keys were compared. `known`: signed by
 * the identity first seen. `restored`: opened with a key from the account's own authenticated backup.
 */
export type Trust = 'own' | 'verified' | 'known' | 'restored';

export type Opened =
  | {
      state: 'open';
      content: Uint8Array;
      trust: Trust;
      /** Where in which stream of keys it was sealed: a second message with the same two is a replay and is refused. */
      session: string;
      index: number;
    }
  /**
   * Not now; `onKeys` will tell. `key`: its key has not come yet. `identity`: an identity has signed its device that the
   * person has not accepted as the sender's. `locked`: this device has no keys until it is unlocked.
   */
  | { state: 'waiting'; reason: 'key' | 'identity' | 'locked' }
  /** Never. `malformed`: no sealed message. `sender`: not sealed by the account it is said to come from. */
  | { state: 'refused'; reason: 'malformed' | 'sender' };

/** `all`: something changed for every message that waits, such as an unlock. */
export type ArrivedKeys = 'all' | readonly { chat: ChatId; session: string }[];

/**
 * What is known of a contact's identity. `unknown`: they have published none yet. `invited`: it is the one that an invite
 * named. `changed`: it is not the one seen before, and nothing is sealed for it or shown of it until accepted.
 * `withdrawn`: it was verified, and is another now.
 */
export type Identity = 'unknown' | 'known' | 'invited' | 'verified' | 'changed' | 'withdrawn';

export interface Sealer {
  /**
   * Seals for all devices of both accounts. Throws an AppError: `identity_changed` until the person accepts,
   * `unavailable` while keys can't be asked for or this device is locked; `unavailable` with `NO_READER` while the
   * recipient has no device that could read it.
   */
  seal(draft: SealDraft): Promise<Sealed>;
  /**
   * The next message of the chat is sealed with a new key. Called after a message was refused: the server may have
   * dropped the events that share the present key (SPEC D2).
   */
  dropChatKey(chat: ChatId): Promise<void>;
  /** Never throws because of foreign content. */
  open(message: SealedMessage): Promise<Opened>;
  /** Which session a sealed body needs, to try again exactly those when `onKeys` names them. */
  sessionOf(body: Uint8Array): string | undefined;
  /** Asks the server again who the devices are, after `stale_devices`. */
  refreshDevices(accounts: readonly AccountId[]): Promise<void>;
  onKeys(listener: (arrived: ArrivedKeys) => void): () => void;
  identityOf(account: AccountId): Promise<Identity>;
  /** The person has seen that the identity changed and continues with the new one. */
  acceptIdentity(account: AccountId): Promise<void>;
}
