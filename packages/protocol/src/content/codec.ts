/**
 * Encodes content as the plaintext of a message, and back.
 *
 * Promise: decoding returns only content that was encoded for the same message id, chat and sender (SPEC E1).
 * A server or attacker can't show encrypted content in another place or as another author's.
 */
import { z } from 'zod';
import { AccountId, ChatId, MessageId } from '../ids.ts';
import { Content, isContentKind, MAX_TIMER_SECONDS } from './kinds.ts';

/** The message that a plaintext belongs to. */
export interface ContentHead {
  id: MessageId;
  chat: ChatId;
  sender: AccountId;
}

export interface Plaintext {
  content: Content;
  /** Seconds until the message disappears: counted from sending for its author, from reading for the others. */
  expiresIn?: number | undefined;
}

/** `unknown`: the content is of a kind that this app version does not know. */
export type Decoded =
  | ({ state: 'known' } & Plaintext)
  | { state: 'unknown'; kind: string }
  | { state: 'refused'; reason: 'malformed' | 'mismatch' };

/** The length of a ciphertext reveals only the bucket (SPEC E3). The largest bucket fits the hashes of a 2 GB file. */
export const SIZE_BUCKETS = [256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768] as const;

const ENCODER = new TextEncoder();
/** JSON may end with any number of spaces, so padding needs neither a length field nor its own format. */
const SPACE = 0x20;

/** Throws if the content does not match its schema. Returns undefined if it is larger than every bucket. */
export function encodeContent(head: ContentHead, { content, expiresIn }: Plaintext): Uint8Array | undefined {
  const { id, chat, sender } = head;
  const plaintext = { id, chat, sender, expiresIn, content: Content.parse(content) };
  return padContent(ENCODER.encode(JSON.stringify(plaintext)));
}

export function decodeContent(head: ContentHead, bytes: Uint8Array): Decoded {
  const outer = Outer.safeParse(parseJson(bytes));
  if (!outer.success) return { state: 'refused', reason: 'malformed' };
  const { id, chat, sender, expiresIn } = outer.data;
  if (id !== head.id || chat !== head.chat || sender !== head.sender) return { state: 'refused', reason: 'mismatch' };
  const { kind } = outer.data.content;
  if (!isContentKind(kind)) return { state: 'unknown', kind };
  const content = Content.safeParse(outer.data.content);
  if (!content.success) return { state: 'refused', reason: 'malformed' };
  return { state: 'known', content: content.data, ...(expiresIn !== undefined && { expiresIn }) };
}

/** Returns undefined if the bytes are larger than every bucket. */
export function padContent(bytes: Uint8Array): Uint8Array | undefined {
  const bucket = SIZE_BUCKETS.find((size) => size >= bytes.length);
  if (bucket === undefined) return undefined;
  const padded = new Uint8Array(bucket).fill(SPACE);
  padded.set(bytes);
  return padded;
}

/** Removes the padding, which a device does not store. */
export function trimContent(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === SPACE) end -= 1;
  return bytes.slice(0, end);
}

/** The schema of `content` comes later, because its kind may be unknown to this app version. */
const Outer = z.object({
  id: MessageId,
  chat: ChatId,
  sender: AccountId,
  expiresIn: z.int().positive().max(MAX_TIMER_SECONDS).optional(),
  content: z.looseObject({ kind: z.string().min(1).max(40) }),
});

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
