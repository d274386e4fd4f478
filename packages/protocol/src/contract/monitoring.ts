import { z } from 'zod';
import { Done } from './done.ts';
import { endpoint } from './endpoint.ts';

/** More at once say no more than this many. */
export const MAX_UNDECRYPTABLE = 100;

/** A browser could not open this many messages within minutes. Neither which nor whose: a number for who watches over the machine. */
export const reportUndecryptable = endpoint({
  method: 'POST',
  path: '/api/watching/closed',
  auth: 'session',
  body: z.object({ count: z.int().min(1).max(MAX_UNDECRYPTABLE) }),
  reply: Done,
  errors: ['unauthenticated', 'rate_limited'],
});
