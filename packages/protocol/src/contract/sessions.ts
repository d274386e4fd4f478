import { z } from 'zod';
import { AccountId, DeviceId } from '../ids.ts';
import { endpoint } from './endpoint.ts';

export const SESSION_COOKIE = '__Host-session';

export const getSession = endpoint({
  method: 'GET',
  path: '/api/session',
  auth: 'session',
  body: z.undefined(),
  reply: z.object({ account: AccountId, device: DeviceId }),
  errors: ['unauthenticated'],
});

/** Ends the caller's own session; its sockets close within a second (SPEC H4). */
export const endSession = endpoint({
  method: 'DELETE',
  path: '/api/session',
  auth: 'session',
  body: z.undefined(),
  reply: z.object({}),
  errors: ['unauthenticated', 'unavailable'],
});
