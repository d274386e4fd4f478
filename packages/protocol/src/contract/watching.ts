import { z } from 'zod';
import { Done } from './done.ts';
import { endpoint } from './endpoint.ts';

/** More at once say no more than this many. */
export const MOST_CLOSED = 100;

/** A browser could not open this many messages within minutes. Neither which nor whose: a number for who watches over the machine. */
export const tellClosed = endpoint({
  method: 'POST',
  path: '/api/watching/closed',
  auth: 'session',
  body: z.object({ count: z.int().min(1).max(MOST_CLOSED) }),
  reply: Done,
  errors: ['unauthenticated', 'rate_limited'],
});
