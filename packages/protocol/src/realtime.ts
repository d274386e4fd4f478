/**
 * The socket: `GET /realtime`, JSON text frames, parsed on both ends.
 *
 * The rules are in SPEC.md: R for the conversation, C for cursors, B for back-pressure and endings.
 */
import { z } from 'zod';
import { AccountId, ChatId } from './ids.ts';
import { Cursor, Entry, Register, Seq } from './mailbox.ts';

/** Named in `resume`. A server that does not speak it says `bye` with `version` and the client reloads. */
export const REALTIME_VERSION = 1;
export const REALTIME_PATH = '/realtime';

/** A larger frame from a client closes the socket: nothing a client says here is long. */
export const MAX_CLIENT_FRAME_BYTES = 16 * 1024;

/** The specification's heartbeat: proves the socket lives and keeps "last seen" fresh. */
export const PING_EVERY_MS = 60_000;

export const MAX_WATCHED = 50;

export const ClientFrame = z.discriminatedUnion('t', [
  z.object({ t: z.literal('resume'), v: z.int(), cursor: Cursor.nullable() }),
  /** Everything up to `seq` is stored on this device. */
  z.object({ t: z.literal('ack'), seq: Seq }),
  z.object({ t: z.literal('typing'), to: AccountId }),
  /** Replaces what was watched before. */
  z.object({ t: z.literal('watch'), accounts: z.array(AccountId).max(MAX_WATCHED) }),
  z.object({ t: z.literal('ping'), n: z.int().nonnegative() }),
]);
export type ClientFrame = z.infer<typeof ClientFrame>;

/** Why the server ends a conversation, and what the client does about it. */
export const BYE_REASONS = {
  restart: { reconnect: 'soon' },
  busy: { reconnect: 'later' },
  slow: { reconnect: 'soon' },
  replaced: { reconnect: 'later' },
  protocol: { reconnect: 'later' },
  version: { reconnect: 'after_reload' },
  signed_out: { reconnect: 'never' },
} as const satisfies Record<string, { reconnect: 'soon' | 'later' | 'after_reload' | 'never' }>;

export const ByeReason = z.enum(
  Object.keys(BYE_REASONS) as [keyof typeof BYE_REASONS, ...(keyof typeof BYE_REASONS)[]],
);
export type ByeReason = z.infer<typeof ByeReason>;

export const Ephemeral = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('typing'), from: AccountId, chat: ChatId }),
  z.object({ kind: z.literal('presence'), account: AccountId, lastOnline: z.int().nullable() }),
]);
export type Ephemeral = z.infer<typeof Ephemeral>;

export const ServerFrame = z.discriminatedUnion('t', [
  /** Answers `resume`: the mailbox as it was read; everything up to it follows, then what is new. */
  z.object({ t: z.literal('resumed'), cursor: Cursor }),
  z.object({ t: z.literal('entry'), entry: Entry }),
  z.object({ t: z.literal('register'), register: Register }),
  /** All registers up to `rev` have been sent: the client may keep `rev` as its cursor (SPEC C4). */
  z.object({ t: z.literal('registers'), rev: Seq }),
  z.object({ t: z.literal('ephemeral'), event: Ephemeral }),
  /** The cursor belongs to another epoch or runs ahead: forget it, re-read, re-offer own sends (SPEC C3). */
  z.object({ t: z.literal('reset'), epoch: z.int().positive() }),
  z.object({ t: z.literal('pong'), n: z.int().nonnegative() }),
  z.object({ t: z.literal('bye'), reason: ByeReason, afterMs: z.int().nonnegative() }),
]);
export type ServerFrame = z.infer<typeof ServerFrame>;
