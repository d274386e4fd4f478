import { directChat } from '@dostar/protocol/ids';
import { expect, test } from 'vitest';
import { addDevice, until, wordsOf } from './device.ts';
import { createFakeServer } from './fake-server.ts';

test('requesting a query again while it has a listener returns the same object', async () => {
  const { client, chat } = setUp();
  await using _ = client;
  const live = client.live.timeline(chat, 10);
  expect(client.live.timeline(chat, 10)).toBe(live);
  const stop = live.subscribe(() => {});
  expect(client.live.timeline(chat, 10)).toBe(live);
  expect(client.live.timeline(chat, 20)).not.toBe(live);
  stop();
  expect(client.live.timeline(chat, 10)).not.toBe(live);
});

test('a query reads again when it gets a listener after it had none', async () => {
  const { client, chat, peer } = setUp();
  await using _ = client;
  const live = client.live.timeline(chat, 10);
  live.subscribe(() => {})();
  const stop = live.subscribe(() => {});
  expect(client.live.timeline(chat, 10)).toBe(live);
  await client.sendText({ to: peer, text: 'hello' });
  await until(live, (list) => list.length === 1);
  stop();
});

test('a snapshot stays the same object until its content changes', async () => {
  const { client, chat, peer, other } = setUp();
  await using _ = client;
  const live = client.live.timeline(chat, 10);
  let changes = 0;
  const stop = live.subscribe(() => (changes += 1));
  await client.sendText({ to: peer, text: 'one' });
  const first = await until(live, ([one]) => one?.status === 'sent');
  const seen = changes;

  await client.sendText({ to: other, text: 'elsewhere' });
  await until(client.live.timeline(directChat(client.account, other), 10), ([one]) => one?.status === 'sent');
  expect(live.getSnapshot()).toBe(first);
  expect(changes).toBe(seen);

  await client.sendText({ to: peer, text: 'two' });
  const second = await until(live, (list) => list.length === 2);
  expect(second[0]).toBe(first[0]);
  stop();
});

test('a moved window keeps the objects of the messages that it still contains', async () => {
  const { client, chat, peer } = setUp();
  await using _ = client;
  for (const word of ['1', '2', '3']) await client.sendText({ to: peer, text: word });
  const before = await until(client.live.window(chat, { older: 2 }), ({ messages }) =>
    messages.every(({ status }) => status === 'sent'),
  );
  const after = await until(client.live.window(chat, { older: 3 }), ({ messages }) => messages.length === 3);
  expect(before.messages).toHaveLength(2);
  expect(after.messages[1]).toBe(before.messages[0]);
  expect(after.messages[2]).toBe(before.messages[1]);
});

test('a page shows the newest messages, oldest first', async () => {
  const { client, chat, peer } = setUp();
  await using _ = client;
  for (const word of ['1', '2', '3', '4']) await client.sendText({ to: peer, text: word });
  const page = await until(client.live.timeline(chat, 2), (list) => list.length === 2);
  expect(wordsOf(page)).toEqual(['3', '4']);
});

function setUp() {
  const server = createFakeServer();
  const device = addDevice(server, server.addAccount());
  const [peer, other] = [server.addAccount(), server.addAccount()];
  const client = Object.assign(device.start(), { account: device.account });
  return { client, peer, other, chat: directChat(device.account, peer) };
}
