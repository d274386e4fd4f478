import { directChat } from '@dostar/protocol/ids';
import { afterEach, expect, test, vi } from 'vitest';
import { addDevice, until, wordsOf } from './device.ts';
import { createFakeServer } from './fake-server.ts';

afterEach(() => vi.restoreAllMocks());

test('a sent message is visible immediately, and becomes the stored message under its id', async () => {
  const { client, chat, peer, alice } = setUp();
  await using _ = client;
  alice.line.isDown = true;
  const live = client.live.window(chat, { older: 60 });
  const seen: string[][] = [];
  const stop = live.subscribe(() => seen.push(live.getSnapshot()!.messages.map(({ id }) => id)));
  await until(live, ({ messages }) => messages.length === 0);

  const sending = client.sendText({ to: peer, text: 'salem' });
  const [optimistic] = live.getSnapshot()!.messages;
  expect(optimistic).toMatchObject({ status: 'sending', shows: { content: { text: 'salem' } } });
  const id = await sending;
  const history = await client.listHistory({ chat });
  await until(live, ({ messages }) => messages.length === 1);

  expect(history).toHaveLength(1);
  // The stored message equals the optimistic one, so it is not drawn again.
  expect(live.getSnapshot()!.messages[0]).toBe(optimistic);
  expect(history[0]).toEqual(optimistic);
  expect(seen.every((ids) => ids.length === 0 || (ids.length === 1 && ids[0] === id))).toBe(true);
  stop();
});

test('many messages written at once are always shown once and in the order written', async () => {
  const { client, chat, peer } = setUp();
  await using _ = client;
  const live = client.live.window(chat, { older: 60 });
  await until(live, () => true);
  const words = Array.from({ length: 20 }, (__, n) => `word ${n}`);
  const seen: string[][] = [];
  const stop = live.subscribe(() => seen.push(wordsOf(live.getSnapshot()!.messages)));
  await Promise.all(words.map((text) => client.sendText({ to: peer, text })));
  await until(live, ({ messages }) => messages.length === 20 && messages.every(({ status }) => status === 'sent'));
  stop();
  for (const list of seen) expect(list).toEqual(words.slice(0, list.length));
  expect(seen.map((list) => list.length)).toEqual(seen.map((list) => list.length).toSorted((a, b) => a - b));
  expect(wordsOf(live.getSnapshot()!.messages)).toEqual(words);
});

test('a reply shows its quote immediately', async () => {
  const { client, alice, chat, peer } = setUp();
  await using _ = client;
  const id = await client.sendText({ to: peer, text: 'where?' });
  const live = client.live.window(chat, { older: 60 });
  const stop = live.subscribe(() => {});
  await until(live, ({ messages }) => messages.length === 1);
  const replyTo = { sender: alice.account, id };
  const sending = client.sendText({ to: peer, text: 'here', replyTo });
  const optimistic = live.getSnapshot()!.messages.at(-1);
  expect(optimistic).toMatchObject({ quote: { id, shows: { content: { text: 'where?' } } } });
  await sending;
  stop();
});

test('a message that the disk refuses stays visible as not saved, and can be retried', async () => {
  const { client, chat, peer } = setUp();
  await using _ = client;
  const live = client.live.window(chat, { older: 60 });
  const stop = live.subscribe(() => {});
  await until(live, () => true);
  const add = refuseWrites();
  await expect(client.sendText({ to: peer, text: 'heavy' })).rejects.toThrow('worn out');
  const [unsaved] = live.getSnapshot()!.messages;
  expect(unsaved).toMatchObject({ status: 'failed', isUnsaved: true, shows: { content: { text: 'heavy' } } });
  await expect(client.retryMessage(unsaved!.id)).rejects.toThrow('worn out');
  expect(live.getSnapshot()!.messages[0]).toMatchObject({ isUnsaved: true });

  add.mockRestore();
  await client.retryMessage(unsaved!.id);
  const { messages } = await until(live, (window) => window.messages[0]?.status === 'sent');
  expect(messages).toMatchObject([{ id: unsaved!.id }]);
  expect(messages[0]).not.toHaveProperty('isUnsaved');
  stop();
});

test('a message that the disk refused can be discarded, and an invalid one does not stay', async () => {
  const { client, chat, peer } = setUp();
  await using _ = client;
  const live = client.live.window(chat, { older: 60 });
  const stop = live.subscribe(() => {});
  await until(live, () => true);
  const add = refuseWrites();
  await expect(client.sendText({ to: peer, text: 'heavy' })).rejects.toThrow('worn out');
  await client.cancelMessage(live.getSnapshot()!.messages[0]!.id);
  expect(live.getSnapshot()!.messages).toEqual([]);
  add.mockRestore();

  await expect(client.sendText({ to: peer, text: 'x'.repeat(100_000) })).rejects.toMatchObject({
    code: 'invalid_request',
  });
  expect(live.getSnapshot()!.messages).toEqual([]);
  stop();
});

test('a message that is cancelled right after it was written does not reappear', async () => {
  const { client, alice, chat, peer } = setUp();
  await using _ = client;
  alice.line.isDown = true;
  const live = client.live.window(chat, { older: 60 });
  const stop = live.subscribe(() => {});
  await until(live, () => true);
  const id = await client.sendText({ to: peer, text: 'regret' });
  await client.cancelMessage(id);
  await until(live, ({ messages }) => messages.length === 0);
  await client.sendText({ to: peer, text: 'after' });
  await until(live, ({ messages }) => messages.length > 0);
  expect(wordsOf(live.getSnapshot()!.messages)).toEqual(['after']);
  stop();
});

test('an earlier part of a chat does not show messages that are being sent', async () => {
  const { client, chat, peer } = setUp();
  await using _ = client;
  for (const text of ['one', 'two', 'three']) await client.sendText({ to: peer, text });
  const { messages } = await until(
    client.live.window(chat, { older: 60 }),
    (all) =>
      // The server's numbers change their places once more.
      all.messages.length === 3 && all.messages.every(({ status }) => status === 'sent'),
  );
  const back = client.live.window(chat, { anchor: messages[1]!.place, older: 1, newer: 0 });
  const stop = back.subscribe(() => {});
  await until(back, (all) => all.messages.length > 0);
  const sending = client.sendText({ to: peer, text: 'four' });
  expect(wordsOf(back.getSnapshot()!.messages)).toEqual(['one']);
  await sending;
  stop();
});

function refuseWrites() {
  return vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(() => {
    throw new DOMException('worn out', 'UnknownError');
  });
}

function setUp() {
  const server = createFakeServer();
  const alice = addDevice(server, server.addAccount());
  const peer = server.addAccount();
  return { server, alice, client: alice.start(), peer, chat: directChat(alice.account, peer) };
}
