/**
 * The key backup: room keys, sealed and authenticated by the client, kept for its next browser (SPEC K10–K12), and the
 * dehydrated device, for times without a signed-in browser (SPEC K13).
 */
import { z } from 'zod';
import { DeviceKeys, KeyMap } from './device-keys.ts';
import { MatrixDevice, MatrixRoom } from '../matrix-ids.ts';
import { endpoint } from './endpoint.ts';

/** The encryption library uploads 100 keys at a time. */
export const MAX_BACKUP_KEYS = 500;
/** A user has about ten thousand keys after years. Without a limit one account could fill a shard. */
export const MAX_KEYS_PER_VERSION = 500_000;
/** Counts all versions that are not deleted: the current one, the one it copies from, and an archived one. */
export const MAX_KEYS_PER_ACCOUNT = 3 * MAX_KEYS_PER_VERSION;
/** Counts versions that are not deleted. A client deletes a version once it has copied everything. */
export const MAX_BACKUP_VERSIONS = 50;
export const MAX_BACKUP_PAGE = 2_000;
/** Entries requested by name in one call. */
export const MAX_BACKUP_NAMES = 100;

const Version = z.string().regex(/^[1-9]\d{0,9}$/);
const SessionId = z.string().regex(/^[\w+/=-]{1,100}$/);
const Json = z.record(z.string(), z.unknown());

/** Returned as uploaded, with unknown fields such as `mac2` (SPEC K12). */
export const BackupEntry = z.looseObject({
  first_message_index: z.int().nonnegative(),
  forwarded_count: z.int().nonnegative(),
  is_verified: z.boolean(),
  session_data: Json,
});
export type BackupEntry = z.infer<typeof BackupEntry>;

export const BackupRooms = z.record(MatrixRoom, z.object({ sessions: z.record(SessionId, BackupEntry) }));
export type BackupRooms = z.infer<typeof BackupRooms>;

const BackupInfo = z.object({ algorithm: z.string().min(1).max(100), auth_data: Json });
const BackupState = z.object({ etag: z.string(), count: z.int().nonnegative() });

/** The whole backup, one room or one session. */
const EntryRange = z.object({ version: Version, room: MatrixRoom.optional(), session: SessionId.optional() });

export const createBackup = endpoint({
  method: 'POST',
  path: '/api/backup/create',
  auth: 'session',
  body: BackupInfo,
  reply: z.object({ version: Version }),
  errors: ['rate_limited', 'unavailable'],
});

/** Returns the current version, or the one that is named. */
export const getBackup = endpoint({
  method: 'POST',
  path: '/api/backup/get',
  auth: 'session',
  body: z.object({ version: Version.optional() }),
  reply: BackupInfo.extend({ version: Version, ...BackupState.shape }),
  errors: ['not_found', 'rate_limited', 'unavailable'],
});

/**
 * Deletes a version. If it has keys, they can be read by its number for 30 days, and `restoreBackup` brings it back.
 * `forGood`, which needs re-authentication, deletes it at once: its key leaked.
 */
export const deleteBackup = endpoint({
  method: 'POST',
  path: '/api/backup/delete',
  auth: 'session',
  body: z.object({ version: Version, forGood: z.boolean().optional() }),
  reply: z.object({}),
  errors: ['reauthenticate', 'not_found', 'rate_limited', 'unavailable'],
});

/** Makes this version the current one: it is no longer deleted, and newer ones are. */
export const restoreBackup = endpoint({
  method: 'POST',
  path: '/api/backup/restore',
  auth: 'session',
  body: z.object({ version: Version }),
  reply: z.object({}),
  errors: ['not_found', 'rate_limited', 'unavailable'],
});

/** Only into the current version; otherwise `wrong_backup_version` with `current_version` in its details. */
export const putBackupKeys = endpoint({
  method: 'POST',
  path: '/api/backup/keys/put',
  auth: 'session',
  body: z.object({ version: Version, rooms: BackupRooms }),
  reply: BackupState,
  errors: ['not_found', 'wrong_backup_version', 'too_large', 'quota_exceeded', 'rate_limited', 'unavailable'],
});

const EntryName = z.object({ room: MatrixRoom, session: SessionId });

/**
 * Returns keys in pages, ordered by room and session: `next` goes into the next call's `after`, and is missing on the last
 * page. With `names` it returns those that exist: a list of chats needs a key of each room, in one call.
 */
export const getBackupKeys = endpoint({
  method: 'POST',
  path: '/api/backup/keys/get',
  auth: 'session',
  body: EntryRange.extend({
    names: z.array(EntryName).min(1).max(MAX_BACKUP_NAMES).optional(),
    after: EntryName.optional(),
    limit: z.int().min(1).max(MAX_BACKUP_PAGE).default(MAX_BACKUP_PAGE),
  }),
  reply: z.object({
    rooms: BackupRooms,
    /** Copies that were replaced in the last 30 days, newest first, by room and session. */
    replaced: z.record(MatrixRoom, z.object({ sessions: z.record(SessionId, z.array(BackupEntry)) })).optional(),
    next: EntryName.optional(),
  }),
  errors: ['not_found', 'rate_limited', 'unavailable'],
});

/** The body of the encryption library's request. The library chooses the `device_id`. */
export const DehydratedDevice = z.object({
  device_id: MatrixDevice,
  initial_device_display_name: z.string().max(200).optional(),
  device_data: Json,
  device_keys: DeviceKeys,
  one_time_keys: KeyMap.optional(),
  fallback_keys: KeyMap.optional(),
});

/**
 * Replaces the device `replaces` and its queue; `null` if there is none yet. Refused if there is another device, or if its
 * queue has more than was `heard`: unread keys would be lost.
 */
export const putDehydratedDevice = endpoint({
  method: 'POST',
  path: '/api/dehydrated/put',
  auth: 'session',
  body: z.object({
    device: DehydratedDevice,
    replaces: MatrixDevice.nullable(),
    /** The last `next_batch` of its queue. A browser that can't open the device leaves it out. */
    heard: z.string().max(40).optional(),
  }),
  reply: z.object({ device_id: MatrixDevice }),
  errors: ['stale_revision', 'bad_signature', 'key_conflict', 'forbidden', 'rate_limited', 'unavailable'],
});

export const getDehydratedDevice = endpoint({
  method: 'GET',
  path: '/api/dehydrated',
  auth: 'session',
  body: z.undefined(),
  reply: z.object({
    device_id: MatrixDevice,
    device_data: Json,
    /** Age by the server's clock. */
    age_ms: z.int().nonnegative(),
  }),
  errors: ['not_found', 'unavailable'],
});

/** Returns the device's queue, oldest first. Reading deletes nothing; an empty page is the end. */
export const listDehydratedEvents = endpoint({
  method: 'POST',
  path: '/api/dehydrated/events',
  auth: 'session',
  body: z.object({ device_id: MatrixDevice, next_batch: z.string().max(40).optional() }),
  reply: z.object({ events: z.array(Json), next_batch: z.string().max(40) }),
  errors: ['not_found', 'rate_limited', 'unavailable'],
});
