/**
 * Gives the account key from one device of an account to another, without showing it to the server.
 *
 * The requesting device commits to its key before it sees the other's; only then are both keys revealed. Both devices
 * derive six digits from the keys, and the user types those of the requesting device into the giving one. A man in the
 * middle, the server included, had to choose its keys without knowing the others, so its digits match once in a
 * million. The giving device then shows four digits to type into the requesting one, which proves that the same user
 * holds both devices.
 */
import { z } from 'zod';
import { Done } from './done.ts';
import { endpoint } from './endpoint.ts';

export const DEVICE_TRANSFER_LIFETIME_MS = 10 * 60_000;

const DeviceTransferId = z.uuid();
/** An uncompressed point of P-256. */
const PublicKey = z.base64url().length(87);
const Hash = z.base64url().length(43);
const Sealed = z.base64url().max(256);

export const DeviceTransfer = z.object({
  id: DeviceTransferId,
  state: z.enum(['asked', 'answered', 'revealed', 'sealed', 'refused']),
  commitment: Hash,
  /** Name of the requesting device. */
  client: z.string(),
  at: z.int(),
  askerKey: PublicKey.nullable(),
  giverKey: PublicKey.nullable(),
  sealed: Sealed.nullable(),
});
export type DeviceTransfer = z.infer<typeof DeviceTransfer>;

const errors = ['not_found', 'forbidden', 'rate_limited', 'unavailable'] as const;

/** Starts a transfer. A device has one at a time: a new one replaces it. */
export const requestDeviceTransfer = endpoint({
  method: 'POST',
  path: '/api/auth/hand-over/ask',
  auth: 'session',
  body: z.object({ commitment: Hash }),
  reply: z.object({ id: DeviceTransferId }),
  errors,
});

export const getDeviceTransfer = endpoint({
  method: 'POST',
  path: '/api/auth/hand-over/look',
  auth: 'session',
  body: z.object({ id: DeviceTransferId }),
  reply: DeviceTransfer,
  errors,
});

/** Called by another device than the asking one. */
export const answerDeviceTransfer = endpoint({
  method: 'POST',
  path: '/api/auth/hand-over/answer',
  auth: 'session',
  body: z.object({ id: DeviceTransferId, publicKey: PublicKey }),
  reply: Done,
  errors,
});

/** Called by the asking device, once it has the other's key. */
export const revealDeviceTransfer = endpoint({
  method: 'POST',
  path: '/api/auth/hand-over/reveal',
  auth: 'session',
  body: z.object({ id: DeviceTransferId, publicKey: PublicKey }),
  reply: Done,
  errors,
});

/** Called by the device that answered, once the digits were right. */
export const sealDeviceTransfer = endpoint({
  method: 'POST',
  path: '/api/auth/hand-over/seal',
  auth: 'session',
  body: z.object({ id: DeviceTransferId, sealed: Sealed }),
  reply: Done,
  errors,
});

export const refuseDeviceTransfer = endpoint({
  method: 'POST',
  path: '/api/auth/hand-over/refuse',
  auth: 'session',
  body: z.object({ id: DeviceTransferId }),
  reply: Done,
  errors,
});
