/**
 * Alerts about the account that a device shows its user: other sign-ins, a password reset, a request for the account
 * key.
 */
import { z } from 'zod';
import { Done } from './done.ts';
import { endpoint } from './endpoint.ts';
import { DeviceTransfer } from './device-transfer.ts';

/** The register that changes when `getAccountAlerts` has a new alert. */
export const ACCOUNT_ALERTS_KEY = 'account/news';

export const getAccountAlerts = endpoint({
  method: 'GET',
  path: '/api/auth/news',
  auth: 'session',
  body: z.undefined(),
  reply: z.object({
    /** Devices that signed in since this one last dismissed its alerts. */
    signIns: z.array(z.object({ session: z.uuid(), client: z.string(), at: z.int() })),
    /** Devices that request the account key. */
    requests: z.array(DeviceTransfer),
    /** Set if the password was reset by email after this device signed in. */
    reset: z.object({ at: z.int() }).nullable(),
  }),
  errors: ['unauthenticated', 'unavailable'],
});

/** Dismisses alerts up to this time. */
export const dismissAccountAlerts = endpoint({
  method: 'POST',
  path: '/api/auth/news/dismiss',
  auth: 'session',
  body: z.object({ upTo: z.int() }),
  reply: Done,
  errors: ['unauthenticated', 'unavailable'],
});
