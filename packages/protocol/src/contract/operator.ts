import { z } from 'zod';
import { Locale } from './accounts.ts';
import { endpoint } from './endpoint.ts';

/** Who runs this server, in their own words. Everything is empty where the operator says nothing. */
export const getOperator = endpoint({
  method: 'GET',
  path: '/api/operator',
  auth: 'anyone',
  body: z.undefined(),
  reply: z.object({
    name: z.string().nullable(),
    /** Contact links: `mailto:`, `https:` or `tel:`. */
    contacts: z.array(z.string()),
    /** Replaces the program's privacy text, in the languages that are given. */
    privacy: z.partialRecord(Locale, z.string()),
  }),
  errors: [],
});
