/**
 * The account key from one device of an account to another, past a server that must not see it.
 *
 * The asking device commits to its key before it sees the other's; only then are both keys shown, and the person types
 * the six digits that both derive on the asking device into the giving one. An attacker in between, the server
 * included, had to choose its keys blindly and meets the digits once in a million. The giving device then shows four
 * digits for the asking one: only so does that know that its key comes from a screen in front of the same person.
 */
import { z } from 'zod';
import { Done } from './done.ts';
import { endpoint } from './endpoint.ts';

export const DEVICE_TRANSFER_LIFETIME_MS = 10 * 60_000;

const DeviceTransferId = z.uuid();
/** A point of P-256, uncompressed. */
const PublicKey = z.base64url().length(87);
const Hash = z.base64url().length(43);
const Sealed = z.base64url().max(256);

export const DeviceTransfer = z.object({
  id: DeviceTransferId,
  state: z.enum(['asked', 'answered', 'revealed', 'sealed', 'refused']),
  commitment: Hash,
  /** What the asking device calls itself. */
  client: z.string(),
  at: z.int(),
  askerKey: PublicKey.nullable(),
  giverKey: PublicKey.nullable(),
  sealed: Sealed.nullable(),
});
export type DeviceTransfer = z.infer<typeof DeviceTransfer>;

const errors = ['not_found', 'forbidden', 'rate_limited', 'unavailable'] as const;

/** One at a time for each device: a new one takes the place of the one before. */
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

/** By another device than the asking one. */
export const answerDeviceTransfer = endpoint({
  method: 'POST',
  path: '/api/auth/hand-over/answer',
  auth: 'session',
  body: z.object({ id: DeviceTransferId, publicKey: PublicKey }),
  reply: Done,
  errors,
});

/** By the asking device, once it has the other's key. */
export const revealDeviceTransfer = endpoint({
  method: 'POST',
  path: '/api/auth/hand-over/reveal',
  auth: 'session',
  body: z.object({ id: DeviceTransferId, publicKey: PublicKey }),
  reply: Done,
  errors,
});

/** By the device that answered, once the digits were right. */
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
