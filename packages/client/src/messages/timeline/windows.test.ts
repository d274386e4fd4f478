import { createOptimisticMessages } from '../send/optimistic-messages.ts';
import { encodeContent, trimContent } from '@dostar/protocol/content/codec';
import { AccountId, type ChatId, directChat, MessageId } from '@dostar/protocol/ids';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { expect, test } from 'vitest';
import { createAtRest } from '../../storage/at-rest.ts';
import { createKeyStore } from '../../account/key-store.ts';
import { openDb } from '../../storage/open.ts';
import { messageKey, type MessageRow } from '../../storage/rows.ts';
import { createQueries } from './queries.ts';
import { createContentReader } from './view.ts';
import type { TimelineWindow, WindowQuery } from './windows.ts';

const account = AccountId.parse('a11ce000-0000-4000-8000-000000000001');
const [short, long] = [newPeer(), newPeer()].map((peer) => directChat(account, peer)) as [ChatId, ChatId];

test('a window of a chat of four thousand messages reads as many rows as one of two hundred', async () => {
  const { look, countRead } = await fill([
    [short, 200],
    [long, 4_000],
  ]);
  const costs: number[][] = [];
  for (const chat of [short, long]) {
    const before = countRead();
    const end = await look(chat, { older: 50 });
    const opened = countRead();
    const middle = end.messages[0]!.place - 50;
    const around = await look(chat, { anchor: middle, older: 25, newer: 25 });
    expect([end.messages.length, end.hasOlder, end.hasNewer]).toEqual([50, true, false]);
    expect([around.messages.length, around.hasOlder, around.hasNewer]).toEqual([50, true, true]);
    expect(around.messages[25]?.place).toBe(middle);
    costs.push([opened - before, countRead() - opened]);
  }
  expect(costs[1]).toEqual(costs[0]);
  expect(costs[0]![0]).toBeLessThan(60);
});

test('windows page both ways without a gap, and say whether there are more messages at each edge', async () => {
  const { look } = await fill([[short, 120]]);
  const seen: string[] = [];
  let anchor = 0;
  for (;;) {
    const page = await look(short, { anchor, older: 0, newer: 50 });
    seen.push(
      ...page.messages.map(({ shows }) =>
        shows.state === 'content' && 'text' in shows.content ? shows.content.text : '',
      ),
    );
    if (!page.hasNewer) break;
    anchor = page.messages.at(-1)!.place + 1;
  }
  expect(seen).toEqual(Array.from({ length: 120 }, (_, index) => `message ${index + 1}`));
  const oldest = await look(short, { anchor: 11, older: 50, newer: 1 });
  expect([oldest.messages.length, oldest.hasOlder]).toEqual([11, false]);
});

async function fill(chats: [ChatId, number][]) {
  const deps = { indexedDB: new IDBFactory(), IDBKeyRange };
  const db = openDb({ account, ...deps });
  const atRest = createAtRest(db, account, createKeyStore(deps));
  let seq = 0;
  for (const [chat, count] of chats) {
    const rows: MessageRow[] = [];
    for (let n = 1; n <= count; n += 1) {
      seq += 1;
      const head = { id: MessageId.parse(crypto.randomUUID()), chat, sender: account };
      const bytes = encodeContent(head, { content: { kind: 'text', text: `message ${n}` } })!;
      const content = await atRest.close(messageKey(head), trimContent(bytes));
      rows.push({ ...head, pos: seq, slot: seq, at: seq, status: 'sent', kind: 'text', content, reading: 1 });
    }
    await db.messages.bulkAdd(rows);
  }
  let read = 0;
  db.messages.hook('reading', (row) => {
    read += 1;
    return row;
  });
  const queries = createQueries(
    db,
    account,
    createContentReader(atRest),
    atRest,
    async () => {},
    createOptimisticMessages(),
  );
  return { look, countRead: () => read };

  async function look(chat: ChatId, wish: WindowQuery): Promise<TimelineWindow> {
    const query = queries.window(chat, wish);
    return query.finish(await query.read());
  }
}

function newPeer(): AccountId {
  return AccountId.parse(crypto.randomUUID());
}
