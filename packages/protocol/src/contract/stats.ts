import { z } from 'zod';
import { endpoint } from './endpoint.ts';

const Count = z.int().nonnegative();

/** The landing page's counters. Approximate and a little old on purpose: a million visitors cost one query. */
export const getStats = endpoint({
  method: 'GET',
  path: '/api/stats',
  auth: 'anyone',
  body: z.undefined(),
  reply: z.object({ users: Count, messages: Count, verified: Count }),
  errors: ['unavailable'],
});
