import { ChatId } from '@dostar/protocol/ids';
import { expect, test } from 'vitest';
import { tagOfChat } from './tag-of-chat.ts';

/** The server's test of pushes has the same example. */
test('N3: a device and the server compute the same tag for a chat', async () => {
  const chat = ChatId.parse('a11ce000-0000-8000-8000-000000000001');
  expect(await tagOfChat('-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_s', chat)).toBe('Ljn75tFG08TYewUvnDLbnd');
});
