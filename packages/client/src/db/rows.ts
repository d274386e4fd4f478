/** The rows of the local database. What the outbox and the cursor say is parsed when read back: yesterday's code wrote it. */
import type { ErrorCode } from '@dostar/protocol/errors';
import { AccountId, ChatId, MessageId } from '@dostar/protocol/ids';
import { Seq } from '@dostar/protocol/mailbox';
import { z } from 'zod';
import type { StoredStatus } from '../messages/status.ts';

export interface MessageRow {
  sender: AccountId;
  id: MessageId;
  chat: ChatId;
  /** Its place: the server's number, or FIRST_WAITING and above while the server has given none. */
  pos: number;
  /** The server's time, or this device's until there is one. Shown, never sorted by. */
  at: number;
  /** Missing once erased. */
  body?: Uint8Array;
  status: StoredStatus;
  /** Why it failed. */
  error?: ErrorCode;
  /** The reading of the mailbox in which the server last had it; missing while it waits (SPEC C3). */
  reading?: number;
  /** The number of the recipient's copy, in which receipts count (SPEC S5). */
  peerSeq?: number;
  /** How this device addressed it; unknown for what other devices sent. */
  address?: Address;
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
}

const JobHead = z.object({
  /** The order of sending; for a message also its place in the chat until the server numbers it. */
  pos: z.number(),
  chat: ChatId,
  id: MessageId,
});

export const SendJob = JobHead.extend({ kind: z.literal('send'), to: AccountId, rings: z.boolean() });
export type SendJob = z.infer<typeof SendJob>;

const EraseJob = JobHead.extend({
  kind: z.literal('erase'),
  target: z.object({ sender: AccountId, id: MessageId }),
  everywhere: AccountId.optional(),
});

/** What this device owes the server, one row each. */
export const Job = z.discriminatedUnion('kind', [SendJob, EraseJob]);
export type Job = z.infer<typeof Job>;

/** How far this device has read (SPEC C1), and what for. */
export const Standing = z.object({
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
export type Standing = z.infer<typeof Standing>;

export const ConnectionState = z.enum(['connecting', 'online', 'waiting', 'signed_out', 'outdated']);
export type ConnectionState = z.infer<typeof ConnectionState>;

export interface MetaRow {
  key: 'standing' | 'connection' | 'nudge';
  value: unknown;
}
