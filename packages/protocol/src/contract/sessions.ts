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
  errors: ['unauthenticated', 'factor_required'],
});

/** Ends the caller's own session; its sockets close within a second (SPEC H4). */
export const revokeCurrentSession = endpoint({
  method: 'DELETE',
  path: '/api/session',
  auth: 'pending',
  body: z.undefined(),
  reply: z.object({}),
  errors: ['unauthenticated', 'unavailable'],
});

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/sessions',
  auth: 'session',
  body: z.undefined(),
  reply: z.object({
    sessions: z.array(
      z.object({
        id: z.uuid(),
        /** Name of the browser at its sign-in, without a location. */
        client: z.string(),
        createdAt: z.int(),
        isThis: z.boolean(),
      }),
    ),
  }),
  errors: ['unauthenticated', 'unavailable'],
});

/**
 * Ends one of the caller's sessions, or all but this one. Needs re-authentication, because browsers that are signed out
 * delete their keys.
 */
export const revokeSessions = endpoint({
  method: 'POST',
  path: '/api/sessions/end',
  auth: 'session',
  body: z.object({ session: z.uuid().optional() }),
  reply: z.object({}),
  errors: ['reauthenticate', 'forbidden', 'unauthenticated', 'unavailable'],
});
