import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { AccountId, ChatId, MessageId } from '../ids.ts';
import { type ContentHead, decodeContent, encodeContent, padContent, SIZE_BUCKETS, trimContent } from './codec.ts';
import { type Content, MAX_TEXT_BYTES } from './kinds.ts';
import { CHUNK_BYTES, MAX_FILE_BYTES } from './media.ts';

const head: ContentHead = {
  id: MessageId.parse('01890000-0000-7000-8000-000000000001'),
  chat: ChatId.parse('11ace000-0000-8000-8000-000000000003'),
  sender: AccountId.parse('a11ce000-0000-4000-8000-000000000001'),
};
const target = { sender: head.sender, id: MessageId.parse('01890000-0000-7000-8000-000000000002') };
const file = { blob: target.id, key: 'k'.repeat(43), iv: 'i'.repeat(22), hashes: ['h'.repeat(43)], size: 1 };
const album = { id: target.id, index: 0, size: 2 };

const contents: Content[] = [
  { kind: 'text', text: 'Сәлем, достар!', replyTo: target, isForwarded: true },
  { kind: 'media', media: { ...file, type: 'image/webp', name: 'a.webp', width: 3, height: 2 }, album },
  { kind: 'voice', voice: { ...file, type: 'audio/ogg', durationMs: 900, waveform: [0, 31, 4] } },
  { kind: 'reaction', target, emoji: '❤️' },
  { kind: 'reaction', target, emoji: null },
  { kind: 'edit', target, text: 'better' },
  { kind: 'delete', target },
  { kind: 'pin', target, isPinned: true },
  { kind: 'read', target },
  { kind: 'timer', seconds: 3600 },
  { kind: 'system', event: 'verified' },
];

test.each(contents)('decoding returns the encoded content: $kind', (content) => {
  expect(decodeContent(head, encodeContent(head, { content })!)).toEqual({ state: 'known', content });
});

test('E1: a plaintext of another id, chat or sender is refused', () => {
  const bytes = encodeContent(head, { content: { kind: 'text', text: 'mine' } })!;
  const wrong: ContentHead[] = [
    { ...head, id: target.id },
    { ...head, chat: ChatId.parse(target.id) },
    { ...head, sender: AccountId.parse('b0b00000-0000-4000-8000-000000000002') },
  ];
  for (const one of wrong) expect(decodeContent(one, bytes)).toEqual({ state: 'refused', reason: 'mismatch' });
});

test('E3: every plaintext has the size of a bucket', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'binary' }), (text) => {
      const length = encodeContent(head, { content: { kind: 'text', text } })?.length;
      expect(SIZE_BUCKETS).toContain(length);
    }),
  );
  expect(encodeContent(head, { content: { kind: 'text', text: 'yes' } })).toHaveLength(256);
});

test('E3: padding is removed again, and a plaintext larger than every bucket is refused', () => {
  const bytes = new TextEncoder().encode('{"a":1}');
  expect(trimContent(padContent(bytes)!)).toEqual(bytes);
  expect(padContent(new Uint8Array(32_769))).toBeUndefined();
});

test('E5: an unknown kind is reported as such, and an unknown field is left out', () => {
  const newer = { ...head, content: { kind: 'poll', options: ['tea', 'coffee'] } };
  expect(decodeContent(head, encode(newer))).toEqual({ state: 'unknown', kind: 'poll' });
  const field = { ...head, content: { kind: 'text', text: 'hi', mood: 'sunny' } };
  expect(decodeContent(head, encode(field))).toEqual({ state: 'known', content: { kind: 'text', text: 'hi' } });
});

test('bytes that are not a plaintext, or not valid content of their kind, are refused', () => {
  const bad = [
    Uint8Array.of(0xff, 0xfe),
    encode('text'),
    encode({ ...head, content: { kind: 'text' } }),
    encode({ ...head, content: { kind: 'text', text: 'ә'.repeat(MAX_TEXT_BYTES / 2 + 1) } }),
    encode({ ...head, expiresIn: -1, content: { kind: 'text', text: 'hi' } }),
  ];
  for (const bytes of bad) expect(decodeContent(head, bytes)).toEqual({ state: 'refused', reason: 'malformed' });
});

test('decoding never throws, whatever the bytes', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => void decodeContent(head, bytes)));
});

test('the reference of the largest file and the longest text fit', () => {
  const hashes = Array.from({ length: Math.ceil(MAX_FILE_BYTES / CHUNK_BYTES) }, () => 'h'.repeat(43));
  const media = { ...file, hashes, size: MAX_FILE_BYTES, type: 'video/mp4', name: 'ж'.repeat(255) };
  expect(encodeContent(head, { content: { kind: 'media', media, caption: 'The wedding' } })).toBeDefined();
  expect(encodeContent(head, { content: { kind: 'text', text: 'қ'.repeat(MAX_TEXT_BYTES / 2) } })).toBeDefined();
});

test('the disappearing-message timer is encoded too', () => {
  const bytes = encodeContent(head, { content: { kind: 'text', text: 'soon gone' }, expiresIn: 60 })!;
  expect(decodeContent(head, bytes)).toMatchObject({ state: 'known', expiresIn: 60 });
});

function encode(value: unknown): Uint8Array {
  return padContent(new TextEncoder().encode(JSON.stringify(value)))!;
}
