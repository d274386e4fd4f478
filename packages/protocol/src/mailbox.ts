/**
 * What is in a mailbox, as both ends see it.
 *
 * The log is append-only and numbered without gaps (SPEC M1); registers are overwritten and never go back (SPEC G1).
 */
import { z } from 'zod';
import { AccountId, ChatId, MessageId } from './ids.ts';

/** Encrypted bytes of one message: 16 KB of text, padded, with room for references to keys. */
export const MAX_BODY_BYTES = 64 * 1024;

export const Seq = z.int().nonnegative();

const Body = z.base64url().max(Math.ceil((MAX_BODY_BYTES * 4) / 3));

const EntryHead = z.object({
  seq: Seq.positive(),
  sender: AccountId,
  id: MessageId,
  chat: ChatId,
  /** The server's clock in milliseconds, the same in every copy of the message. */
  at: z.int(),
  /** In the sender's own copy: the number of the recipient's copy, in which receipts count (SPEC S5). */
  peerSeq: Seq.optional(),
});

export const MessageEntry = EntryHead.extend({
  kind: z.literal('mail'),
  /** Missing once the message has been erased: its number stays (SPEC M5). */
  body: Body.optional(),
});

/** Made by a browser of the account; its other browsers check by it that the erasure is genuine (SPEC E8). */
export const ErasureProof = z.base64url().length(43);

/** Says that the server has deleted a message's body. A device erases its copy only with a proof (SPEC E8). */
export const ErasureEntry = EntryHead.extend({
  kind: z.literal('erasure'),
  erases: z.object({ sender: AccountId, id: MessageId }),
  proof: ErasureProof.optional(),
});

export const Entry = z.discriminatedUnion('kind', [MessageEntry, ErasureEntry]);
export type Entry = z.infer<typeof Entry>;

export const Register = z.object({
  key: z.string().min(1).max(200),
  rev: z.int().positive(),
  /** For up-to marks: only ever grows. */
  mark: Seq.optional(),
  /** Opaque to the server, except for the registers the server writes itself. */
  value: z.base64url().optional(),
});
export type Register = z.infer<typeof Register>;

/** Where a device stands: `seq` counts the log, `rev` the registers; both mean something only within their epoch (SPEC C1). */
export const Cursor = z.object({ epoch: z.int().positive(), seq: Seq, rev: Seq });
export type Cursor = z.infer<typeof Cursor>;

/** The key of the register in a sender's mailbox that says how far `reader` has got in `chat`. */
export function deliveredKey(chat: ChatId, reader: AccountId): string {
  return `delivered/${chat}/${reader}`;
}

/**
 * The same for what `reader` has read, in the reader's numbers. In the reader's own mailbox it tells their other devices
 * (SPEC R8).
 */
export function readKey(chat: ChatId, reader: AccountId): string {
  return `read/${chat}/${reader}`;
}
