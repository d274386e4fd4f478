/**
 * Public keys of devices and accounts (SPEC K). Bodies and answers are the JSON of the encryption library: the client
 * sends a body as the library made it, and passes the answer to `markRequestAsSent` unchanged.
 *
 * Keys are queried and claimed only between contacts and the two parties of a request; any other account looks like an
 * account without devices.
 */
import { z } from 'zod';
import { DeviceId } from '../ids.ts';
import { MatrixDevice, MatrixUser } from '../matrix-ids.ts';
import { endpoint } from './endpoint.ts';

/** Fits more than one full refill by the encryption library, which keeps fifty keys. */
const MAX_KEYS_PER_UPLOAD = 200;
const MAX_USERS_PER_CALL = 250;
/** The answer has about 35 KB for each user. */
const MAX_DELETED_DEVICE_USERS = 20;
export const MAX_DEVICES = 10;

const Signatures = z.record(z.string().max(100), z.record(z.string().max(120), z.string().max(120)));
const PublicKeys = z.record(z.string().max(120), z.string().max(120));

/** Signed by the device itself, later also by its owner's self-signing key. The signatures cover unknown fields too. */
export const DeviceKeys = z.looseObject({
  user_id: MatrixUser,
  device_id: MatrixDevice,
  algorithms: z.array(z.string().max(100)).max(10),
  keys: PublicKeys,
  signatures: Signatures,
});
export type DeviceKeys = z.infer<typeof DeviceKeys>;

export const CrossSigningKey = z.looseObject({
  user_id: MatrixUser,
  usage: z.array(z.enum(['master', 'self_signing', 'user_signing'])).length(1),
  keys: PublicKeys,
  signatures: Signatures.optional(),
});
export type CrossSigningKey = z.infer<typeof CrossSigningKey>;

export const SignedKey = z.looseObject({ key: z.string().max(120), signatures: Signatures });
export type SignedKey = z.infer<typeof SignedKey>;

/** `signed_curve25519:AAAAAAAAAAE`: the algorithm, and the id of the key. */
export const KeyName = z.string().regex(/^signed_curve25519:[\w+/=-]{1,60}$/);
export const KeyMap = z
  .record(KeyName, SignedKey)
  .refine((keys) => Object.keys(keys).length <= MAX_KEYS_PER_UPLOAD, 'too many keys');

export const KeyCounts = z.object({ signed_curve25519: z.int().nonnegative() });
export type KeyCounts = z.infer<typeof KeyCounts>;

/** The same upload again changes nothing; a known key name with other content is refused as a whole (SPEC K2). */
export const uploadKeys = endpoint({
  method: 'POST',
  path: '/api/keys/upload',
  auth: 'session',
  body: z.object({
    device_keys: DeviceKeys.optional(),
    one_time_keys: KeyMap.optional(),
    fallback_keys: KeyMap.optional(),
  }),
  reply: z.object({ one_time_key_counts: KeyCounts }),
  errors: ['key_conflict', 'bad_signature', 'forbidden', 'too_large', 'rate_limited', 'unavailable'],
});

export const queryKeys = endpoint({
  method: 'POST',
  path: '/api/keys/query',
  auth: 'session',
  body: z.object({
    device_keys: limitUsers(z.record(MatrixUser, z.array(MatrixDevice).max(50))),
  }),
  reply: z.object({
    device_keys: z.record(MatrixUser, z.record(MatrixDevice, DeviceKeys)),
    master_keys: z.record(MatrixUser, CrossSigningKey),
    self_signing_keys: z.record(MatrixUser, CrossSigningKey),
    user_signing_keys: z.record(MatrixUser, CrossSigningKey),
    failures: z.record(z.string(), z.unknown()),
    /**
     * For `sendMessage`: the revision of each device list in this answer, never newer than the list itself (SPEC S6).
     */
    device_revs: z.record(MatrixUser, z.int().nonnegative()),
  }),
  errors: ['rate_limited', 'unavailable'],
});

/**
 * Deleted devices, with the signatures they had: queried when a key of an unknown device turns up.
 * They tell whose a key was; no client encrypts for them.
 */
export const listDeletedDevices = endpoint({
  method: 'POST',
  path: '/api/keys/former',
  auth: 'session',
  body: z.object({ users: z.array(MatrixUser).min(1).max(MAX_DELETED_DEVICE_USERS) }),
  reply: z.object({ device_keys: z.record(MatrixUser, z.record(MatrixDevice, DeviceKeys)) }),
  errors: ['rate_limited', 'unavailable'],
});

export const claimKeys = endpoint({
  method: 'POST',
  path: '/api/keys/claim',
  auth: 'session',
  body: z.object({
    one_time_keys: limitUsers(z.record(MatrixUser, z.record(MatrixDevice, z.literal('signed_curve25519')))),
  }),
  reply: z.object({
    one_time_keys: z.record(MatrixUser, z.record(MatrixDevice, z.record(KeyName, SignedKey))),
    failures: z.record(z.string(), z.unknown()),
  }),
  errors: ['rate_limited', 'unavailable'],
});

/** The first identity needs no re-authentication; replacing it does (SPEC K6). */
export const uploadSigningKeys = endpoint({
  method: 'POST',
  path: '/api/keys/signing',
  auth: 'session',
  body: z.object({
    master_key: CrossSigningKey.optional(),
    self_signing_key: CrossSigningKey.optional(),
    user_signing_key: CrossSigningKey.optional(),
  }),
  reply: z.object({}),
  errors: ['bad_signature', 'forbidden', 'reauthenticate', 'rate_limited', 'unavailable'],
});

/** By user and by device id or public key: the signed object, with the new signatures in it. */
export const uploadSignatures = endpoint({
  method: 'POST',
  path: '/api/keys/signatures',
  auth: 'session',
  body: limitUsers(z.record(MatrixUser, z.record(z.string().max(120), z.union([DeviceKeys, CrossSigningKey])))),
  reply: z.object({
    failures: z.record(
      MatrixUser,
      z.record(z.string(), z.object({ errcode: z.string(), error: z.string(), status: z.int() })),
    ),
  }),
  errors: ['rate_limited', 'unavailable'],
});

const DeviceName = z.string().trim().min(1).max(60);

export const listDevices = endpoint({
  method: 'GET',
  path: '/api/devices',
  auth: 'session',
  body: z.undefined(),
  reply: z.object({
    devices: z.array(
      z.object({
        id: DeviceId,
        /** Ending this session (`revokeSessions`) removes the device. */
        session: z.uuid(),
        name: DeviceName.nullable(),
        /** Name of the browser at its sign-in. */
        client: z.string(),
        createdAt: z.int(),
        /** Rounded to the day. */
        seenAt: z.int(),
        hasKeys: z.boolean(),
        isThis: z.boolean(),
      }),
    ),
    /** The revision of the caller's own device list. */
    rev: z.int().nonnegative(),
  }),
  errors: ['unauthenticated', 'unavailable'],
});

export const renameDevice = endpoint({
  method: 'POST',
  path: '/api/devices/rename',
  auth: 'session',
  body: z.object({ device: DeviceId, name: DeviceName.nullable() }),
  reply: z.object({}),
  errors: ['not_found', 'rate_limited', 'unavailable'],
});

/**
 * A new device id for this session, whose old device goes with everything it had. For a browser that lost its store, or
 * whose key upload conflicts: keys can't be replaced, a device can (SPEC K9).
 */
export const renewDevice = endpoint({
  method: 'POST',
  path: '/api/devices/renew',
  auth: 'session',
  /** The device to replace. If it is gone already, the answer names the present one. */
  body: z.object({ device: DeviceId }),
  reply: z.object({ device: DeviceId }),
  errors: ['unauthenticated', 'rate_limited', 'unavailable'],
});

function limitUsers<Map extends z.ZodType<object>>(map: Map): Map {
  return map.refine((users) => Object.keys(users).length <= MAX_USERS_PER_CALL, 'too many users');
}
