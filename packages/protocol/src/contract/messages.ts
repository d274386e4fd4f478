import { z } from 'zod';
import { AccountId, ChatId, MessageId } from '../ids.ts';
import { Entry, ErasureProof, MAX_BODY_BYTES, Seq } from '../mailbox.ts';
import { endpoint } from './endpoint.ts';

const Body = z
  .base64url()
  .min(1)
  .max(Math.ceil((MAX_BODY_BYTES * 4) / 3));

/** Idempotent by `id`, so it may be repeated after a lost answer: the first stored bytes are the message (SPEC S2, S3). */
export const sendMessage = endpoint({
  method: 'POST',
  path: '/api/messages/send',
  auth: 'session',
  body: z.object({
    id: MessageId,
    to: AccountId,
    body: Body,
    /** Whether the message causes a notification, which is all that the server learns about the content (SPEC E3). */
    rings: z.boolean().default(true),
    /** The device lists for which the message was encrypted (SPEC S6). Missing if the caller encrypts nothing. */
    devices: z.object({ own: z.int().nonnegative(), peer: z.int().nonnegative() }).optional(),
  }),
  reply: z.object({
    state: z.enum(['new', 'duplicate']),
    epoch: z.int().positive(),
    seq: Seq.positive(),
    peerSeq: Seq.positive(),
    at: z.int(),
  }),
  errors: ['unknown_account', 'id_taken', 'stale_devices', 'blocked', 'request_pending', 'rate_limited', 'unavailable'],
});

/** Whether `sendMessage` would refuse this recipient for good. Asked when a client sees no device to encrypt for (SPEC S7, K5). */
export const checkRecipient = endpoint({
  method: 'POST',
  path: '/api/messages/check-recipient',
  auth: 'session',
  body: z.object({ to: AccountId }),
  reply: z.object({}),
  errors: ['unknown_account', 'blocked', 'rate_limited', 'unavailable'],
});

/** Erases a message from the caller's mailbox and, where the caller sent it, from the recipient's too (SPEC M5). */
export const eraseMessage = endpoint({
  method: 'POST',
  path: '/api/messages/erase',
  auth: 'session',
  body: z.object({
    id: MessageId,
    chat: ChatId,
    target: z.object({ sender: AccountId, id: MessageId }),
    /** The other account of the chat, whose copy is erased too. If missing, only the caller's own copy is erased. */
    everywhere: AccountId.optional(),
    /** For the caller's other browsers, if only the caller's own copy is erased. */
    proof: ErasureProof.optional(),
  }),
  reply: z.object({ seq: Seq.positive() }),
  errors: ['unknown_account', 'id_taken', 'forbidden', 'rate_limited', 'unavailable'],
});

/** A chat read backwards from `before`, or from its end. */
export const listChat = endpoint({
  method: 'POST',
  path: '/api/messages/history',
  auth: 'session',
  body: z.object({
    chat: ChatId,
    before: Seq.positive().optional(),
    limit: z.int().min(1).max(100).default(50),
  }),
  reply: z.object({ epoch: z.int().positive(), entries: z.array(Entry) }),
  errors: ['rate_limited', 'unavailable'],
});
