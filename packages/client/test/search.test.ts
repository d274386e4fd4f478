import type { Client } from '@dostar/client';
import { createSearchProxy, serveSearch } from '@dostar/client/search-proxy';
import { directChat } from '@dostar/protocol/ids';
import { IDBObjectStore } from 'fake-indexeddb';
import { expect, test, vi } from 'vitest';
import { addDevice, until, untilTimeline } from './device.ts';
import { createFakeServer } from './fake-server.ts';

test('a Kazakh word is found as typed on a Russian keyboard, in one chat or in all, with its position', async () => {
  const { alice, bob, carol, chat } = setUp();
  await using client = alice.start();
  await client.sendText({ to: bob.account, text: 'Ертең Айгерім келеді' });
  await client.sendText({ to: carol, text: 'айгерим келмейді' });
  await client.sendText({ to: bob.account, text: 'басқа сөз' });
  expect(await textsOf(client, 'айгерим')).toEqual(['айгерим келмейді', 'Ертең Айгерім келеді']);
  expect(await textsOf(client, 'Айгерім')).toHaveLength(2);
  expect(await textsOf(client, 'айг кел')).toHaveLength(2);
  expect(await textsOf(client, 'айгерим басқа')).toEqual([]);
  const [found] = await client.search({ text: 'айгерим', chat });
  const { text, matches } = found!.snippet;
  expect(matches.map(([from, to]) => text.slice(from, to))).toEqual(['Айгерім']);
  expect(await client.search({ text: ' , ! ' })).toEqual([]);
});

test('an edited message is found by its new text only, and a deleted one not at all', async () => {
  const { alice, bob, chat } = setUp();
  await using sender = alice.start();
  await using receiver = bob.start();
  const ids = [];
  for (const text of ['apple tree', 'apple pie', 'apple juice'])
    ids.push(await sender.sendText({ to: bob.account, text }));
  await untilTimeline(receiver, chat, (words) => words.length === 3);
  for (const client of [sender, receiver]) {
    expect(await textsOf(client, 'apple')).toHaveLength(3);
    await untilIndexed(client);
  }
  const [first, second, third] = ids.map((id) => ({ sender: alice.account, id }));
  await sender.editText({ to: bob.account, target: first!, text: 'pear tree' });
  await sender.deleteForEveryone(second!);
  await receiver.deleteForMe(third!);
  await untilTimeline(receiver, chat, (words) => words.join() === 'pear tree,(deleted)');
  expect(await textsOf(sender, 'apple')).toEqual(['apple juice']);
  expect(await textsOf(receiver, 'apple')).toEqual([]);
  for (const client of [sender, receiver]) {
    await untilIndexed(client);
    expect(await textsOf(client, 'pear')).toEqual(['pear tree']);
  }
  expect(await textsOf(receiver, 'apple')).toEqual([]);
});

test('the index survives a reload, encrypted, and a second tab searches it too', async () => {
  const { alice, bob, chat } = setUp();
  const { locks } = navigator;
  {
    await using closed = alice.start({ locks });
    for (let n = 0; n < 30; n += 1) await closed.sendText({ to: bob.account, text: `canary number ${n}` });
    await until(closed.live.timeline(chat, 99), (all) => all.every(({ status }) => status !== 'sending'));
    await untilIndexed(closed);
  }
  await using leader = alice.start({ locks });
  await using other = alice.start({ locks });
  expect(await leader.search({ text: 'canary', limit: 99 })).toHaveLength(30);
  await leader.sendText({ to: bob.account, text: 'canary number last' });
  await vi.waitFor(async () => expect(await other.search({ text: 'canary', limit: 99 })).toHaveLength(31), 60_000);
  await untilIndexed(leader);
  expect(await other.search({ text: 'canary', limit: 99 })).toHaveLength(31);
});

test('a search does not read parts of the index again that it has loaded', async () => {
  const { alice, bob } = setUp();
  await using client = alice.start();
  await client.sendText({ to: bob.account, text: 'once and for all' });
  await untilIndexed(client);
  expect(await textsOf(client, 'once')).toEqual(['once and for all']);
  const read = vi.spyOn(IDBObjectStore.prototype, 'get');
  expect(await textsOf(client, 'for')).toEqual(['once and for all']);
  expect(read.mock.contexts.filter((store) => (store as IDBObjectStore).name === 'segments')).toEqual([]);
  read.mockRestore();
});

test('the engine returns the same results from a worker', async () => {
  const { alice, bob } = setUp();
  const { port1, port2 } = new MessageChannel();
  serveSearch(port2);
  port2.start();
  port1.start();
  await using client = alice.start({ openSearchEngine: async () => createSearchProxy(port1) });
  await client.sendText({ to: bob.account, text: 'through the wall' });
  await untilIndexed(client);
  expect(await textsOf(client, 'wall')).toEqual(['through the wall']);
  port1.close();
});

test('the stored index drops a message that was cancelled before it was sent', async () => {
  const { alice, bob, chat } = setUp();
  using engine = openWatchedEngine();
  await using client = alice.start({ openSearchEngine: async () => engine });
  const target = { sender: alice.account, id: await client.sendText({ to: bob.account, text: 'plain' }) };
  await until(client.live.timeline(chat, 9), ([one]) => one?.status === 'sent');
  alice.line.isDown = true;
  alice.line.cut();
  const ids = [
    await client.sendText({ to: bob.account, text: 'canaryone' }),
    await client.sendMessage({ to: bob.account, content: { kind: 'edit', target, text: 'canarytwo' } }),
  ];
  await untilIndexed(client);
  for (const word of ['canaryone', 'canarytwo']) expect(engine.stored()).toContain(word);
  for (const id of ids) await client.cancelMessage(id);
  await vi.waitFor(() => expect(engine.stored()).not.toContain('canary'), 60_000);
  expect(await textsOf(client, 'plain')).toEqual(['plain']);
});

/** An engine that records the rows that it has stored. */
function openWatchedEngine() {
  const { port1, port2 } = new MessageChannel();
  serveSearch(port2);
  port2.start();
  port1.start();
  const engine = createSearchProxy(port1);
  const segments = new Map<number, string>();
  return {
    ...engine,
    async change(...args: Parameters<typeof engine.change>) {
      const changed = await engine.change(...args);
      for (const { segment, json } of changed) segments.set(segment, json);
      return changed;
    },
    stored: () => [...segments.values()].join(),
    [Symbol.dispose]: () => port1.close(),
  };
}

async function textsOf(client: Client, text: string): Promise<string[]> {
  const found = await client.search({ text });
  return found.map(({ message: { shows } }) =>
    shows.state === 'content' && shows.content.kind === 'text' ? shows.content.text : '(other)',
  );
}

/** Waits for the index: three seconds of the clock are fifteen milliseconds here. */
async function untilIndexed(client: Client): Promise<void> {
  await vi.waitFor(async () => expect((await until(client.live.progress(), () => true)).unindexed).toBe(0), 60_000);
}

function setUp() {
  const server = createFakeServer();
  const [alice, bob] = [addDevice(server, server.addAccount()), addDevice(server, server.addAccount())];
  return { server, alice, bob, carol: server.addAccount(), chat: directChat(alice.account, bob.account) };
}
