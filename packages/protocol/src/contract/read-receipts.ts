import { z } from 'zod';
import { AccountId } from '../ids.ts';
import { Seq } from '../mailbox.ts';
import { endpoint } from './endpoint.ts';

/** The caller has read the chat with `peer` up to the caller's own number; marks never go back (SPEC R8, G1). */
export const markRead = endpoint({
  method: 'POST',
  path: '/api/messages/read',
  auth: 'session',
  body: z.object({ peer: AccountId, upTo: Seq.positive() }),
  reply: z.object({}),
  errors: ['unknown_account', 'rate_limited', 'unavailable'],
});
