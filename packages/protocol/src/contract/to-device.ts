/** Messages from device to device: room keys, verification, secrets (SPEC D). They arrive on the socket. */
import { z } from 'zod';
import { MatrixDevice, MatrixUser } from '../matrix-ids.ts';
import { endpoint } from './endpoint.ts';

export const MAX_TO_DEVICE_BYTES = 64 * 1024;
/** The encryption library sends at most 250 at once. */
export const MAX_TO_DEVICE_MESSAGES = 300;

/** Idempotent by `txn`, so it may be repeated after a lost answer (SPEC D1). */
export const sendToDevice = endpoint({
  method: 'POST',
  path: '/api/to-device/send',
  auth: 'session',
  body: z.object({
    /** The `event_type` of the library's request. */
    type: z.string().regex(/^[a-z][\w.-]{0,99}$/),
    /** The `txn_id` of the library's request. */
    txn: z.string().regex(/^[\w.~-]{1,100}$/),
    /** `*` addresses all devices of that account. */
    messages: z.record(
      MatrixUser,
      z.record(z.union([MatrixDevice, z.literal('*')]), z.record(z.string(), z.unknown())),
    ),
  }),
  reply: z.object({}),
  errors: ['forbidden', 'too_large', 'rate_limited', 'unavailable'],
});
