/** What a device should tell its owner about the account: others that came in, a reset, a device that asks for the key. */
import { z } from 'zod';
import { Done } from './done.ts';
import { endpoint } from './endpoint.ts';
import { DeviceTransfer } from './device-transfer.ts';

/** The register whose change says that `getAccountAlerts` has something new to tell. */
export const ACCOUNT_ALERTS_KEY = 'account/news';

export const getAccountAlerts = endpoint({
  method: 'GET',
  path: '/api/auth/news',
  auth: 'session',
  body: z.undefined(),
  reply: z.object({
    /** Devices that signed in since this one last put the news away. */
    signIns: z.array(z.object({ session: z.uuid(), client: z.string(), at: z.int() })),
    /** Devices that ask for the account key. */
    requests: z.array(DeviceTransfer),
    /** The password was replaced by mail, after this device signed in. */
    reset: z.object({ at: z.int() }).nullable(),
  }),
  errors: ['unauthenticated', 'unavailable'],
});

/** Seen, up to this moment. */
export const dismissAccountAlerts = endpoint({
  method: 'POST',
  path: '/api/auth/news/dismiss',
  auth: 'session',
  body: z.object({ upTo: z.int() }),
  reply: Done,
  errors: ['unauthenticated', 'unavailable'],
});
