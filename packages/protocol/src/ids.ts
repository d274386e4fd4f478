import { z } from 'zod';

/** Random, made by the server, so any ten bits of it distribute accounts evenly over buckets (SPEC P1). */
export const AccountId = z.uuid().brand('AccountId');
export type AccountId = z.infer<typeof AccountId>;

export const DeviceId = z.uuid().brand('DeviceId');
export type DeviceId = z.infer<typeof DeviceId>;

/** Chosen by the sender and kept across retries (SPEC S2). Its time part does not order messages. */
export const MessageId = z.uuid().brand('MessageId');
export type MessageId = z.infer<typeof MessageId>;

export const ChatId = z.uuid().brand('ChatId');
export type ChatId = z.infer<typeof ChatId>;

/**
 * The chat of two accounts, which both ends compute alike (SPEC P2). Account ids are random, so the exclusive-or of two
 * of them is as unlikely to collide as they are. Version 8 distinguishes it from every random id.
 */
export function directChat(one: AccountId, other: AccountId): ChatId {
  const mixed = uuidBits(one) ^ uuidBits(other);
  const marked = (mixed & ~VERSION_AND_VARIANT) | VERSION_8;
  const hex = marked.toString(16).padStart(32, '0');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-') as ChatId;
}

const VERSION_AND_VARIANT = (0xfn << 76n) | (0b11n << 62n);
const VERSION_8 = (8n << 76n) | (0b10n << 62n);

function uuidBits(id: string): bigint {
  return BigInt(`0x${id.replaceAll('-', '')}`);
}
