import { directChat } from '@dostar/protocol/ids';
import { expect, test } from 'vitest';
import { addDevice, bytes, until } from './device.ts';
import { createFakeWire } from './fake-wire.ts';

test('naming a query again while it is listened to gives the same object', async () => {
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

test('a query that was left and is listened to again reads again', async () => {
  const { client, chat, peer } = setUp();
  await using _ = client;
  const live = client.live.timeline(chat, 10);
  live.subscribe(() => {})();
  const stop = live.subscribe(() => {});
  expect(client.live.timeline(chat, 10)).toBe(live);
  await client.sendMessage({ to: peer, body: bytes('hello') });
  await until(live, (list) => list.length === 1);
  stop();
});

test('a snapshot stays the same object until what it shows has changed', async () => {
  const { client, chat, peer, other } = setUp();
  await using _ = client;
  const live = client.live.timeline(chat, 10);
  let changes = 0;
  const stop = live.subscribe(() => (changes += 1));
  await client.sendMessage({ to: peer, body: bytes('one') });
  const first = await until(live, ([one]) => one?.status === 'sent');
  const seen = changes;

  await client.sendMessage({ to: other, body: bytes('elsewhere') });
  await until(client.live.timeline(directChat(client.account, other), 10), ([one]) => one?.status === 'sent');
  expect(live.getSnapshot()).toBe(first);
  expect(changes).toBe(seen);

  await client.sendMessage({ to: peer, body: bytes('two') });
  const second = await until(live, (list) => list.length === 2);
  expect(second[0]).toBe(first[0]);
  stop();
});

test('a page shows the newest messages, oldest first', async () => {
  const { client, chat, peer } = setUp();
  await using _ = client;
  for (const word of ['1', '2', '3', '4']) await client.sendMessage({ to: peer, body: bytes(word) });
  const page = await until(client.live.timeline(chat, 2), (list) => list.length === 2);
  expect(page.map(({ body }) => body)).toEqual([bytes('3'), bytes('4')]);
});

function setUp() {
  const wire = createFakeWire();
  const device = addDevice(wire, wire.addAccount());
  const [peer, other] = [wire.addAccount(), wire.addAccount()];
  const client = Object.assign(device.start(), { account: device.account });
  return { client, peer, other, chat: directChat(device.account, peer) };
}
