/** The rows of the local database. Jobs and sync state are parsed when read: an older version may have written them. */
import type { ContentKind } from '@dostar/protocol/content/kinds';
import type { BlobId, FullStorage } from '@dostar/protocol/contract/blobs';
import { ContactChanges, Decision, type FoundUser } from '@dostar/protocol/contract/contacts';
import type { ErrorCode } from '@dostar/protocol/errors';
import { AccountId, ChatId, MessageId } from '@dostar/protocol/ids';
import { Seq } from '@dostar/protocol/mailbox';
import { z } from 'zod';
import type { Opened, Trust } from '../crypto/sealing/sealer.ts';
import type { StoredStatus } from '../messages/timeline/status.ts';

export interface MessageRow {
  sender: AccountId;
  id: MessageId;
  chat: ChatId;
  /** The server's number, or FIRST_WAITING and above while the server has given none. */
  pos: number;
  /** The server's time, or this device's until then. Shown, never sorted by. */
  at: number;
  /** Its place in the timeline; annotations and hidden messages have none. */
  slot?: number;
  /** The encrypted body, until it is decrypted here. */
  body?: Uint8Array;
  /** The plaintext, encrypted under this device's key. A message with neither has been erased. */
  content?: Uint8Array;
  /** Missing until decrypted. `unknown`: a kind of a newer version of the app. */
  kind?: ContentKind | 'unknown';
  /** The message that this one annotates. */
  target?: MessageKey;
  /** The message that this one replies to. */
  quotes?: MessageKey;
  /** The files that it names. */
  blobs?: BlobId[];
  /** Files of the message that this one deletes. */
  drops?: BlobId[];
  /** Pending work of the leading tab. */
  todo?: Todo;
  /** Why it can't be decrypted yet, and the session it waits for. */
  waits?: WaitReason;
  waitsFor?: string;
  /** Why it is never shown (SPEC E1, E2). */
  refused?: Refusal;
  /** Session and index at which it was encrypted: a second message with the same pair is a replay (SPEC E2). */
  sealedAt?: string;
  trust?: Trust;
  /** Seconds until it disappears, and the time when it does (SPEC E7). */
  expiresIn?: number;
  expiresAt?: number;
  /** Deleted by its author: the timeline says so in its place. Messages erased for other reasons are hidden. */
  isDeleted?: boolean;
  /** Its content was deleted to free space, and is fetched again when needed. */
  isEvicted?: boolean;
  /** Deleted for this account only, or expired: the timeline does not show it. */
  isHidden?: boolean;
  status: StoredStatus;
  /** Why it failed, or why it waits. */
  error?: ErrorCode;
  /** The reading of the mailbox that last contained it; missing while it is unsent (SPEC C3). */
  reading?: number;
  /** The number of the recipient's copy, to which receipts refer (SPEC S5). */
  peerSeq?: number;
  /** How this device addressed it; missing for messages of other devices. */
  address?: Address;
}

/** `open`: decrypt it. `wait`: its key is missing. `index`: index it for search. `update`: its kind is unknown. */
export type Todo = 'open' | 'wait' | 'index' | 'update';

export type WaitReason = Extract<Opened, { state: 'waiting' }>['reason'];

export type Refusal = 'malformed' | 'sender' | 'mismatch' | 'replayed';

/** `sender/id`: ids are unique per sender only (SPEC M3). */
export type MessageKey = string & { readonly __key: 'MessageKey' };

export function messageKey({ sender, id }: { sender: AccountId; id: MessageId }): MessageKey {
  return `${sender}/${id}` as MessageKey;
}

export function splitKey(key: MessageKey): [AccountId, MessageId] {
  return key.split('/') as [AccountId, MessageId];
}

export interface Address {
  to: AccountId;
  rings: boolean;
}

/** Above every number that a mailbox can reach, with space below for messages that have to be sent again. */
export const FIRST_WAITING = 2 ** 52;

/** One line of the chat list, stored so that the list reads one row per chat. */
export interface ChatRow {
  chat: ChatId;
  /** Place and key of the newest message. */
  pos: number;
  last: [AccountId, MessageId];
  /** The other account, if it is known. */
  peer?: AccountId;
  /** How far this account has read, in its own numbers; and how many messages follow, up to the limit of counting. */
  readUpTo?: number;
  unread?: number;
  /** The server has not confirmed `readUpTo`. */
  owesRead?: 1;
  /** This account's preferences for the contact. */
  pinned?: 1;
  archived?: 1;
  mutedUntil?: number;
  /** How far the other account has read, in its own numbers, from its encrypted receipt. */
  readByPeer?: number;
}

const JobBase = z.object({
  /** The order of sending. A message also has this place in the chat until the server numbers it. */
  pos: z.number(),
  chat: ChatId,
  id: MessageId,
});

export const SendJob = JobBase.extend({ kind: z.literal('send'), to: AccountId, rings: z.boolean() });
export type SendJob = z.infer<typeof SendJob>;

const EraseJob = JobBase.extend({
  kind: z.literal('erase'),
  target: z.object({ sender: AccountId, id: MessageId }),
  everywhere: AccountId.optional(),
});
export type EraseJob = z.infer<typeof EraseJob>;

/** A decision about a contact, or a preference for it; its id is the action's (SPEC W4). */
export const ContactJob = JobBase.extend({
  kind: z.literal('contact'),
  peer: AccountId,
  decision: Decision.optional(),
  changes: ContactChanges.optional(),
});
export type ContactJob = z.infer<typeof ContactJob>;

/** A request that waits to be sent to the server. */
export const Job = z.discriminatedUnion('kind', [SendJob, EraseJob, ContactJob]);
export type Job = z.infer<typeof Job>;

/** How far this device has read its mailbox (SPEC C1). */
export const SyncState = z.object({
  /** 0 before the first reading. */
  epoch: z.int().nonnegative(),
  seq: Seq,
  rev: Seq,
  /** Counts how often the mailbox was read from the beginning. Rows of an older reading are lost on the server. */
  reading: z.int().nonnegative(),
  /** Whether this reading has reached the mailbox's end and lost messages are in the outbox again. */
  isSettled: z.boolean(),
  /** Whether this device has everything that the server had at the last connection. */
  isCaughtUp: z.boolean(),
});
export type SyncState = z.infer<typeof SyncState>;

export const ConnectionState = z.enum(['connecting', 'online', 'waiting', 'signed_out', 'outdated']);
export type ConnectionState = z.infer<typeof ConnectionState>;

/** One value of account data. Without `value` it was deleted; the row stays, so that other devices delete it too. */
export interface ItemRow {
  doc: string;
  item: string;
  at: number;
  device: string;
  /** JSON, encrypted under this device's key. */
  value?: Uint8Array;
}

/** A document of account data: the items of one register. */
export interface DocRow {
  doc: string;
  /** The register that contained it, and the revision that was applied. */
  key?: string;
  rev?: number;
  /** Counts this device's changes: a document that changes during its upload is uploaded again. */
  version: number;
  dirty?: 1;
}

/** A part of the search index, encrypted under this device's key. */
export interface SegmentRow {
  segment: number;
  /** Counts its changes: another tab reads a changed segment again. */
  version: number;
  /** How many messages were ever added to it. */
  count: number;
  index: Uint8Array;
}

export interface MetaRow {
  key:
    | 'standing'
    | 'connection'
    | 'nudge'
    | 'localKey'
    | 'wanted'
    | 'loading'
    | 'deviceTag'
    | 'dataKey'
    | 'lock'
    | 'withdrawn'
    | 'unwanted';
  value: unknown;
}

/** The server's description of a user, and when it was fetched. */
export interface UserRow {
  account: AccountId;
  user: FoundUser;
  at: number;
}

/** The fingerprint of a contact's master key from an invite, until the trust list has it. */
export interface PinRow {
  account: AccountId;
  fingerprint: string;
  source: 'invite' | 'qr';
  at: number;
}

/** A file that is read piece by piece, such as a browser's `File`. */
export interface FileSource {
  readonly size: number;
  slice(from: number, to: number): { arrayBuffer(): Promise<ArrayBuffer> };
}

/** A file upload. */
export interface UploadRow {
  id: BlobId;
  size: number;
  /** `keeping`: the file is being copied to this device, chunk by chunk; `keptAt` is the time of the last chunk. */
  state: 'keeping' | 'running' | 'failed' | 'cancelled' | 'finished';
  keptAt?: number;
  /** Hashes of the encrypted chunks that the server has. */
  hashes: (string | undefined)[];
  /** The file's key and the message to send with it, encrypted under this device's key. */
  secret: Uint8Array;
  at: number;
  /** The upload of the video's poster image, which is uploaded first. */
  poster?: BlobId;
  /** `no_source`: the file can't be read, or was only partly copied; the person has to choose it again. */
  error?: ErrorCode | 'no_source';
  /** Whose storage is full, after `insufficient_storage`. */
  full?: FullStorage;
}

/**
 * When this device learned that the other side received or read messages `from` (exclusive) to `upTo`, in its numbers.
 */
export interface ReceiptRow {
  chat: ChatId;
  kind: 'delivered' | 'read';
  upTo: number;
  from: number;
  at: number;
}

/** A chunk of a file to upload, encrypted under this device's key. */
export interface PartRow {
  upload: BlobId;
  chunk: number;
  bytes: Uint8Array;
}

/** A file that no message on this device refers to any more: its reference on the server is to be deleted. */
export interface DropRow {
  blob: BlobId;
}

/** A message that another browser of this account has erased, until the proof is checked. */
export interface ErasureRow {
  target: MessageKey;
  chat: ChatId;
  proof?: string;
}

/** Short-lived state that tabs and the socket exchange. */
export type SignalRow =
  | { key: `presence/${AccountId}`; kind: 'presence'; account: AccountId; lastOnline: number | null }
  | { key: `typing/${ChatId}/${AccountId}`; kind: 'typing'; chat: ChatId; from: AccountId; until: number }
  /** A tab watches these accounts. */
  | { key: `watch/${string}`; kind: 'watch'; accounts: AccountId[]; until: number }
  /** A tab has the focus. */
  | { key: `focus/${string}`; kind: 'focus'; until: number }
  /** The person types to this account. */
  | { key: `say/${AccountId}`; kind: 'say'; to: AccountId; at: number };
