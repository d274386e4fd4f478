import { z } from 'zod';

/** Made at random by the server, so any ten bits of it place the account evenly (SPEC P1). */
export const AccountId = z.uuid().brand('AccountId');
export type AccountId = z.infer<typeof AccountId>;

export const DeviceId = z.uuid().brand('DeviceId');
export type DeviceId = z.infer<typeof DeviceId>;

/** Chosen by the sender and kept across retries (SPEC S2). Its time part orders nothing. */
export const MessageId = z.uuid().brand('MessageId');
export type MessageId = z.infer<typeof MessageId>;

export const ChatId = z.uuid().brand('ChatId');
export type ChatId = z.infer<typeof ChatId>;

/**
 * The chat of two accounts, computed alike at both ends (SPEC P2). Account ids are random, so the exclusive-or of
 * two of them is as unlikely to collide as they are; version 8 keeps it apart from every random id.
 */
export function directChat(one: AccountId, other: AccountId): ChatId {
  // In four words of 32 bits: as one big number it takes several times as long, and every send computes it.
  const first = mixWords(one, other, 0, 8);
  const second = mixWords(one, other, 9, 18);
  const third = mixWords(one, other, 19, 28);
  const fourth = mixWords(one, other, 28, 36);
  const middle = toHex((second & ~0xf000) | 0x8000);
  const end = toHex((third & ~0xc0000000) | 0x80000000);
  return `${toHex(first)}-${middle.slice(0, 4)}-${middle.slice(4)}-${end.slice(0, 4)}-${end.slice(4)}${toHex(fourth)}` as ChatId;
}

/** The exclusive-or of eight digits of each; a dash between them is skipped. */
function mixWords(one: string, other: string, from: number, to: number): number {
  return readWord(one, from, to) ^ readWord(other, from, to);
}

function readWord(id: string, from: number, to: number): number {
  const digits = to - from === 8 ? id.slice(from, to) : id.slice(from, from + 4) + id.slice(from + 5, to);
  return Number.parseInt(digits, 16);
}

function toHex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}
