/** The rows of the local database. What the outbox and the cursor say is parsed when read back: yesterday's code wrote it. */
import type { ContentKind } from '@dostar/protocol/content/kinds';
import type { BlobId } from '@dostar/protocol/contract/blobs';
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
  /** Its place: the server's number, or FIRST_WAITING and above while the server has given none. */
  pos: number;
  /** The server's time, or this device's until there is one. Shown, never sorted by. */
  at: number;
  /** Its place among what the chat shows; missing for what only changes another message, and for what is hidden. */
  slot?: number;
  /** As the server has it, until it has been opened here. */
  body?: Uint8Array;
  /** The plaintext, encrypted under this device's key. A message with neither has been erased. */
  content?: Uint8Array;
  /** Missing until opened. `unknown`: this app is too old for it. */
  kind?: ContentKind | 'unknown';
  /** The message this one is about. */
  target?: MessageKey;
  /** The message this one answers. */
  quotes?: MessageKey;
  /** The files it names. */
  blobs?: BlobId[];
  /** Files of the message that this one takes back. */
  drops?: BlobId[];
  /** What the leading tab has still to do with it. */
  todo?: Todo;
  /** Why it can't be opened yet, and the stream of keys it waits for. */
  waits?: WaitReason;
  waitsFor?: string;
  /** Why it is never shown (SPEC E1, E2). */
  refused?: Refusal;
  /** Where in which stream of keys it was sealed: nothing else may have been sealed there (SPEC E2). */
  sealedAt?: string;
  trust?: Trust;
  /** Seconds, and when they are over (SPEC E7). */
  expiresIn?: number;
  expiresAt?: number;
  /** Taken back by its author: its place says so. What is erased for other reasons is hidden. */
  isDeleted?: boolean;
  /** Its text was deleted to make room, and is fetched again when needed. */
  isEvicted?: boolean;
  /** This account took it from its own sight, or its time was over: not even its place is shown. */
  isHidden?: boolean;
  status: StoredStatus;
  /** Why it failed, or why it waits. */
  error?: ErrorCode;
  /** The reading of the mailbox in which the server last had it; missing while it waits (SPEC C3). */
  reading?: number;
  /** The number of the recipient's copy, in which receipts count (SPEC S5). */
  peerSeq?: number;
  /** How this device addressed it; unknown for what other devices sent. */
  address?: Address;
}

/** `open`: never tried. `wait`: its key has not come. `index`: the search has not seen it. `update`: of an unknown kind. */
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

/** Beyond every number a mailbox will reach, with room below for what is offered again. */
export const FIRST_WAITING = 2 ** 52;

/** One line of the chat list: kept beside the messages so that the list reads one row per chat. */
export interface ChatRow {
  chat: ChatId;
  /** Place and key of the newest message. */
  pos: number;
  last: [AccountId, MessageId];
  /** The other account, where the chat is known to be of two. */
  peer?: AccountId;
  /** How far this account has read, in its own numbers; and how many came after that, up to the limit of counting. */
  readUpTo?: number;
  unread?: number;
  /** The server has not been heard to know how far. */
  owesRead?: 1;
  /** As the account keeps the other one. */
  pinned?: 1;
  archived?: 1;
  mutedUntil?: number;
  /** How far the other account says to have read, in its numbers. */
  readByPeer?: number;
}

const JobBase = z.object({
  /** The order of sending; for a message also its place in the chat until the server numbers it. */
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

/** What this device owes the server, one row each. */
export const Job = z.discriminatedUnion('kind', [SendJob, EraseJob, ContactJob]);
export type Job = z.infer<typeof Job>;

/** How far this device has read (SPEC C1), and what for. */
export const SyncState = z.object({
  /** 0 before the first reading. */
  epoch: z.int().nonnegative(),
  seq: Seq,
  rev: Seq,
  /** Counts the times the mailbox was read from nothing: rows of an older reading are gone from the server. */
  reading: z.int().nonnegative(),
  /** Whether this reading has reached the mailbox's end, after which lost sends have been offered again. */
  isSettled: z.boolean(),
  /** Whether everything the server had at the last connection is here. */
  isCaughtUp: z.boolean(),
});
export type SyncState = z.infer<typeof SyncState>;

export const ConnectionState = z.enum(['connecting', 'online', 'waiting', 'signed_out', 'outdated']);
export type ConnectionState = z.infer<typeof ConnectionState>;

/** One thing the account keeps for itself. Without a value it was taken away, which the other devices must hear too. */
export interface ItemRow {
  doc: string;
  item: string;
  at: number;
  device: string;
  /** JSON, encrypted under this device's key. */
  value?: Uint8Array;
}

/** A register's worth of items. */
export interface DocRow {
  doc: string;
  /** Of the register it came in, with the revision that was looked at. */
  key?: string;
  rev?: number;
  /** Counts this device's changes: what is told while it changes is told again. */
  version: number;
  dirty?: 1;
}

/** A part of the search index, encrypted under this device's key. */
export interface SegmentRow {
  segment: number;
  /** Counts its changes: another tab reads again what has moved on. */
  version: number;
  /** How many messages were ever put into it. */
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

/** What the server says about a user, and when it did. */
export interface UserRow {
  account: AccountId;
  user: FoundUser;
  at: number;
}

/** The fingerprint of a contact's master key as an invite named it, until the trust list has it. */
export interface PinRow {
  account: AccountId;
  fingerprint: string;
  source: 'invite' | 'qr';
  at: number;
}

/** Something to read a file from, piece by piece: a browser's `File`, or anything that can do as much. */
export interface FileSource {
  readonly size: number;
  slice(from: number, to: number): { arrayBuffer(): Promise<ArrayBuffer> };
}

/** A file on its way to the server. */
export interface UploadRow {
  id: BlobId;
  size: number;
  /** `keeping`: being put aside on this device, piece by piece; the last was at `keptAt`. */
  state: 'keeping' | 'running' | 'failed' | 'cancelled' | 'finished';
  keptAt?: number;
  /** Of the sealed chunks that have arrived. */
  hashes: (string | undefined)[];
  /** The file's key and what is to be said with it, encrypted under this device's key. */
  secret: Uint8Array;
  at: number;
  /** The upload of its first picture, which goes before it. */
  poster?: BlobId;
  /** `no_source`: the file can't be read, or only half of it was put aside; it has to be chosen again. */
  error?: ErrorCode | 'no_source';
}

/** When this device heard that the other side had got, or seen, what lies above `from` and not above `upTo`, in its numbers. */
export interface ReceiptRow {
  chat: ChatId;
  kind: 'delivered' | 'read';
  upTo: number;
  from: number;
  at: number;
}

/** A chunk of a file on its way to the server, encrypted under this device's key. */
export interface PartRow {
  upload: BlobId;
  chunk: number;
  bytes: Uint8Array;
}

/** A file that no message here names any more: the server is told so. */
export interface DropRow {
  blob: BlobId;
}

/** A message that another browser of this account has erased, until the proof of it has been checked. */
export interface ErasureRow {
  target: MessageKey;
  chat: ChatId;
  proof?: string;
}

/** What passes between tabs and the socket and is worth nothing tomorrow. */
export type SignalRow =
  | { key: `presence/${AccountId}`; kind: 'presence'; account: AccountId; lastOnline: number | null }
  | { key: `typing/${ChatId}/${AccountId}`; kind: 'typing'; chat: ChatId; from: AccountId; until: number }
  /** One tab wants to know of these. */
  | { key: `watch/${string}`; kind: 'watch'; accounts: AccountId[]; until: number }
  /** One tab is being looked at. */
  | { key: `focus/${string}`; kind: 'focus'; until: number }
  /** The person types. */
  | { key: `say/${AccountId}`; kind: 'say'; to: AccountId; at: number };
