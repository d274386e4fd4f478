import { createKeyStore } from '@dostar/client/key-store';
import { directChat } from '@dostar/protocol/ids';
import { IDBKeyRange } from 'fake-indexeddb';
import { expect, test } from 'vitest';
import { addDevice, until, untilTimeline, wordsOf } from './device.ts';
import { createFakeServer } from './fake-server.ts';

test('signing out manually deletes everything on this device, also without a network', async () => {
  const { alice, bob } = setUp();
  alice.line.isDown = true;
  const client = alice.start();
  await client.sendText({ to: bob.account, text: 'never sent' });
  await client.saveDraft(directChat(alice.account, bob.account), { text: 'never finished' });
  await client.wipe();
  expect(await listLeft(alice)).toEqual([]);
});

test('wiping in one tab ends the others', async () => {
  const { alice, bob } = setUp();
  const { locks } = navigator;
  const leader = alice.start({ locks });
  const other = alice.start({ locks });
  await other.sendText({ to: bob.account, text: 'hello' });
  await leader.wipe();
  await other[Symbol.asyncDispose]();
  expect(await listLeft(alice)).toEqual([]);
});

test('an expired session loses nothing: after signing in the account has its messages and outbox again', async () => {
  const { server, alice, bob, chat } = setUp();
  {
    await using client = alice.start();
    await client.sendText({ to: bob.account, text: 'before' });
    await until(client.live.timeline(chat, 9), ([one]) => one?.status === 'sent');
    alice.line.account = undefined;
    alice.line.cut();
    await until(client.live.connection(), ({ state }) => state === 'signed_out');
    await client.sendText({ to: bob.account, text: 'meanwhile' });
  }
  alice.line.account = alice.account;
  await using again = alice.start();
  const all = await untilTimeline(again, chat, (words) => words.length === 2);
  expect(wordsOf(all)).toEqual(['before', 'meanwhile']);
  await until(again.live.timeline(chat, 9), (list) => list.every(({ status }) => status === 'sent'));
  expect(server.listEntries(bob.account)).toHaveLength(2);
});

/** Databases of the account, and its keys in the database that all accounts share. */
async function listLeft({ account, indexedDB }: ReturnType<typeof addDevice>): Promise<string[]> {
  const databases = (await indexedDB.databases()).map(({ name = '' }) => name).filter((name) => name.includes(account));
  const key = await createKeyStore({ indexedDB, IDBKeyRange }).get(`local/${account}`);
  return key === undefined ? databases : [...databases, 'the local key'];
}

function setUp() {
  const server = createFakeServer();
  const [alice, bob] = [addDevice(server, server.addAccount()), addDevice(server, server.addAccount())];
  return { server, alice, bob, chat: directChat(alice.account, bob.account) };
}
