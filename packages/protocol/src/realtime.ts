/**
 * The socket: `GET /realtime`, JSON text frames, parsed on both ends.
 *
 * The rules are in SPEC.md: R for the connection, C for cursors, B for back-pressure and endings.
 */
import { z } from 'zod';
import { KeyCounts } from './contract/device-keys.ts';
import { AccountId, ChatId } from './ids.ts';
import { Cursor, Entry, Register, Seq } from './mailbox.ts';
import { MatrixUser } from './matrix-ids.ts';
import { PROTOCOL_VERSION } from './version.ts';

/**
 * Sent in `resume`. A server that no longer supports it answers `bye` with `version`, and the client reloads (SPEC V2).
 */
export const REALTIME_VERSION = PROTOCOL_VERSION;
export const REALTIME_PATH = '/realtime';

/** A larger frame from a client closes the socket: no client frame needs more. */
export const MAX_CLIENT_FRAME_BYTES = 16 * 1024;

/** Heartbeat interval of the specification: it shows that the socket is alive and updates "last seen". */
export const PING_EVERY_MS = 60_000;

export const MAX_WATCHED = 50;

/** A device's position in its queue of to-device messages. Opaque to the client. */
export const ToDeviceToken = z.string().regex(/^\d{1,16}\.\d{1,16}$/);
export type ToDeviceToken = z.infer<typeof ToDeviceToken>;

/** Per frame. */
export const MAX_TO_DEVICE_EVENTS = 100;

export const ClientFrame = z.discriminatedUnion('t', [
  /**
   * `toDevice`: the connection receives `to_device` frames after the token that its engine stored last, or from the
   * start (`null`). A tab that does not own the engine leaves it out and receives none.
   */
  z.object({
    t: z.literal('resume'),
    v: z.int(),
    cursor: Cursor.nullable(),
    toDevice: ToDeviceToken.nullable().optional(),
  }),
  /** The device has stored everything up to `seq`. */
  z.object({ t: z.literal('ack'), seq: Seq }),
  /** The engine has stored everything up to the token, so the server may delete it (SPEC D4). */
  z.object({ t: z.literal('ack_to_device'), token: ToDeviceToken }),
  z.object({ t: z.literal('typing'), to: AccountId }),
  /** Replaces the previously watched accounts. */
  z.object({ t: z.literal('watch'), accounts: z.array(AccountId).max(MAX_WATCHED) }),
  /**
   * Whether the tab is visible: a device with a visible tab gets no push (SPEC N2, N5). Sent at each change and
   * reconnect.
   */
  z.object({ t: z.literal('focus'), isFocused: z.boolean() }),
  z.object({ t: z.literal('ping'), n: z.int().nonnegative() }),
]);
export type ClientFrame = z.infer<typeof ClientFrame>;

/** Why the server ends a connection, and when the client reconnects. */
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
  /** Answers `resume` with the state of the mailbox. Everything up to it follows, then new entries. */
  z.object({ t: z.literal('resumed'), cursor: Cursor }),
  z.object({ t: z.literal('entry'), entry: Entry }),
  /**
   * For the engine, before the entries that need it (SPEC D3). One follows every `resumed`, even without events. The
   * client passes `events` to `receiveSyncChanges` unchanged.
   */
  z.object({
    t: z.literal('to_device'),
    events: z
      .array(z.object({ sender: MatrixUser, type: z.string(), content: z.record(z.string(), z.unknown()) }))
      .max(MAX_TO_DEVICE_EVENTS),
    /** Users whose devices or identity changed. */
    changed: z.array(MatrixUser),
    /** Users whose account was deleted (SPEC D5). */
    left: z.array(MatrixUser),
    oneTimeKeysCount: KeyCounts,
    unusedFallbackKeyTypes: z.array(z.string()),
    token: ToDeviceToken,
  }),
  z.object({ t: z.literal('register'), register: Register }),
  /** All registers up to `rev` have been sent: the client may store `rev` in its cursor (SPEC C4). */
  z.object({ t: z.literal('registers'), rev: Seq }),
  z.object({ t: z.literal('ephemeral'), event: Ephemeral }),
  /** The cursor belongs to another epoch or is ahead: discard it and send `resume` without one (SPEC C3). */
  z.object({ t: z.literal('reset'), epoch: z.int().positive() }),
  z.object({ t: z.literal('pong'), n: z.int().nonnegative() }),
  z.object({ t: z.literal('bye'), reason: ByeReason, afterMs: z.int().nonnegative() }),
]);
export type ServerFrame = z.infer<typeof ServerFrame>;
