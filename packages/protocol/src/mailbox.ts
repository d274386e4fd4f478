/**
 * Entries and registers of a mailbox, as server and client exchange them.
 *
 * The log is append-only and numbered without gaps (SPEC M1); registers are overwritten and never go back (SPEC G1).
 */
import { z } from 'zod';
import { AccountId, ChatId, MessageId } from './ids.ts';

/** Limit of a message's encrypted bytes: 16 KB of text, padded, with space for references to keys. */
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
  /** In the sender's own copy: the number of the recipient's copy, which receipts refer to (SPEC S5). */
  peerSeq: Seq.optional(),
});

export const MessageEntry = EntryHead.extend({
  kind: z.literal('mail'),
  /** Missing if the message was erased; its number stays (SPEC M5). */
  body: Body.optional(),
});

/** Made by a browser of the account, so that its other browsers can verify the erasure (SPEC E8). */
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
  /** A number that only grows, for read and delivery marks. */
  mark: Seq.optional(),
  /** Opaque to the server, except in registers that the server writes itself. */
  value: z.base64url().optional(),
});
export type Register = z.infer<typeof Register>;

/** A device's position: `seq` in the log, `rev` in the registers. Both are valid only within their epoch (SPEC C1). */
export const Cursor = z.object({ epoch: z.int().positive(), seq: Seq, rev: Seq });
export type Cursor = z.infer<typeof Cursor>;

/** The register in a sender's mailbox that says how far `reader` has received `chat`. */
export function deliveredKey(chat: ChatId, reader: AccountId): string {
  return `delivered/${chat}/${reader}`;
}

/**
 * The register that says how far `reader` has read `chat`, in the reader's numbers. The reader's own mailbox has one
 * too, for their other devices (SPEC R8).
 */
export function readKey(chat: ChatId, reader: AccountId): string {
  return `read/${chat}/${reader}`;
}
