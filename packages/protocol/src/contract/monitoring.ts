import { z } from 'zod';
import { Done } from './done.ts';
import { endpoint } from './endpoint.ts';

/** Larger counts are reported as this number. */
export const MAX_UNDECRYPTABLE = 100;

/** A browser could not decrypt this many messages within minutes. Only the number, for the operator's metrics. */
export const reportUndecryptable = endpoint({
  method: 'POST',
  path: '/api/watching/closed',
  auth: 'session',
  body: z.object({ count: z.int().min(1).max(MAX_UNDECRYPTABLE) }),
  reply: Done,
  errors: ['unauthenticated', 'rate_limited'],
});
