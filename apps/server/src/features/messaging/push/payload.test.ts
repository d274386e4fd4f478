import { PushPayload } from '@dostar/protocol/contract/push';
import { ChatId } from '@dostar/protocol/ids';
import { expect, test } from 'vitest';
import { tagOf, topicOf, writePayload } from './payload.ts';

const chat = ChatId.parse('a11ce000-0000-8000-8000-000000000001');
const tagKey = '-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_s';

/** The same example stands in the client's test of tags. */
test('N3: a device and the server name a chat alike', () => {
  expect(tagOf(tagKey, chat)).toBe('Ljn75tFG08TYewUvnDLbnd');
  expect(topicOf(tagKey, chat)).not.toBe(tagOf(tagKey, chat));
});

test('N3: every push has the same size, whatever it says in whatever language', () => {
  const sizes = (['en', 'kz', 'ru'] as const).flatMap((locale) =>
    (['message', 'test'] as const).map((kind) => {
      const payload = { v: 1, kind, id: tagOf(tagKey, chat), n: 99_999, at: Number.MAX_SAFE_INTEGER } as const;
      const text = writePayload(payload, { locale, origin: 'https://messenger.some-long-city-name.example' });
      expect(PushPayload.parse(JSON.parse(text))).toEqual(payload);
      return Buffer.byteLength(text);
    }),
  );
  expect(new Set(sizes).size).toBe(1);
});
