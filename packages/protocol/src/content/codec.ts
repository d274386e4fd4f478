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
  /** Seconds until it disappears: after sending for its author, after reading for the others. */
  expiresIn?: number | undefined;
}

/** `unknown`: of a kind this app is too old for. */
export type Decoded =
  | ({ state: 'known' } & Plaintext)
  | { state: 'unknown'; kind: string }
  | { state: 'refused'; reason: 'malformed' | 'mismatch' };

/** A length says only which of these a message fits into (SPEC E3). The largest holds the hashes of a 2 GB file. */
export const SIZE_BUCKETS = [256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768] as const;

const ENCODER = new TextEncoder();
/** JSON takes any number of spaces after its end, so padding needs no length and no format of its own. */
const SPACE = 0x20;

/** Throws where the content is not of its schema. Undefined if it is larger than any bucket. */
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

/** Undefined if it is larger than any bucket. */
export function padContent(bytes: Uint8Array): Uint8Array | undefined {
  const bucket = SIZE_BUCKETS.find((size) => size >= bytes.length);
  if (bucket === undefined) return undefined;
  const padded = new Uint8Array(bucket).fill(SPACE);
  padded.set(bytes);
  return padded;
}

/** Without the padding: what a device keeps for itself. */
export function trimContent(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === SPACE) end -= 1;
  return bytes.slice(0, end);
}

/** The content itself may be of a kind that only a newer app knows. */
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
