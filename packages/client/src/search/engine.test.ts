import { ChatId } from '@dostar/protocol/ids';
import { expect, test } from 'vitest';
import type { MessageKey } from '../storage/rows.ts';
import { createSearchEngine } from './engine.ts';

test('a removed message leaves none of its words in the stored index', async () => {
  const engine = createSearchEngine();
  const chat = ChatId.parse(crypto.randomUUID());
  const messages = Array.from({ length: 100 }, (_, at) => ({
    id: `alice/${at}` as MessageKey,
    chat,
    at,
    text: at === 42 ? 'word canaryword' : `word ${at}`,
  }));
  const [before] = await engine.change([], messages);
  expect(before?.json).toContain('canaryword');
  const [after] = await engine.change([messages[42]!.id], []);
  expect(after?.json).not.toContain('canaryword');
  expect(await engine.find(['word'], { limit: 200 })).toHaveLength(99);
});
