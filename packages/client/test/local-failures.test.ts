import type { ClientDeps, KeyRing, Message } from '@dostar/client';
import { AppError } from '@dostar/protocol/errors';
import { type AccountId, directChat } from '@dostar/protocol/ids';
import { IDBObjectStore } from 'fake-indexeddb';
import { expect, onTestFinished, test, vi } from 'vitest';
import { addDevice, until, untilTimeline } from './device.ts';
import { createFakeKeys, type FakeKeys } from './fake-key-ring.ts';
import { createFakeServer } from './fake-server.ts';

test('a tab that finds a full disk when it becomes leader frees space and continues to send', async () => {
  const { alice, bob, chat, keys } = setUp();
  await using sender = alice.start(keys);
  keys.missing.add('alice');
  await sender.sendText({ to: bob.account, text: 'sealed' });
  {
    await using closed = bob.start(keys);
    await until(closed.live.timeline(chat, 9), ([one]) => one?.shows.state === 'waiting' && one.shows.reason === 'key');
  }

  const { count } = fillDisk(bob.account, 'messages');
  const freeMedia = vi.fn(async () => {});
  await using receiver = bob.start({ openKeyRing: () => openCrashingKeyRing(keys), freeMedia });
  await expect.poll(count).toBe(1);
  await receiver.sendText({ to: alice.account, text: 'still here' });
  await until(receiver.live.timeline(chat, 9), (all) => isWithServer(all.at(-1)));
  expect(freeMedia).toHaveBeenCalledOnce();
  keys.missing.clear();
  keys.arrive('all');
  await untilTimeline(receiver, chat, ([first]) => first === 'sealed');
});

test('if one background task fails the others end with it, and the tab leads again', async () => {
  const { server, alice, bob, chat, keys } = setUp();
  const rings: KeyRing[] = [];
  const log = vi.fn<ClientDeps['log']>();
  await using sender = alice.start({
    log,
    openKeyRing() {
      const keyRing = openCrashingKeyRing(keys);
      rings.push(keyRing);
      return rings.length > 1 ? keyRing : { ...keyRing, onKeys: () => fail('the decryptor finds no keys') };
    },
  });
  await sender.sendText({ to: bob.account, text: 'by the second try' });
  await until(sender.live.timeline(chat, 9), ([one]) => one?.status === 'sent');
  expect(rings).toHaveLength(2);
  await until(sender.live.connection(), ({ state }) => state === 'online');
  expect(server.linkCount()).toBe(1);
  expect(log.mock.calls.filter(([event]) => event === 'client stopped')).toHaveLength(1);
});

test('a client that fails to lead ends immediately on request', async () => {
  const { alice } = setUp();
  const log = vi.fn<ClientDeps['log']>();
  const client = alice.start({ log, openKeyRing: () => fail('no keys at all') });
  await expect.poll(() => log.mock.calls.filter(([event]) => event === 'client stopped').length).toBeGreaterThan(1);
  await client[Symbol.asyncDispose]();
});

function isWithServer(message: Message | undefined): boolean {
  return message?.status === 'sent' || message?.status === 'delivered';
}

/** Like an engine, it seals nothing once it has been closed. */
function openCrashingKeyRing(keys: FakeKeys): KeyRing {
  const keyRing = keys.openKeyRing();
  let isClosed = false;
  return {
    ...keyRing,
    async seal(message) {
      if (isClosed) throw new AppError('unavailable');
      return keyRing.seal(message);
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      await keyRing[Symbol.asyncDispose]();
    },
  };
}

/** Makes the account's next write to a table fail with a full disk. */
function fillDisk(account: AccountId, table: string): { count: () => number } {
  const put = IDBObjectStore.prototype.put;
  let refusals = 0;
  const spy = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function write(
    this: InstanceType<typeof IDBObjectStore>,
    ...args
  ) {
    const isMeant = this.transaction.db.name.endsWith(account) && this.name === table;
    if (!isMeant || refusals > 0) return put.apply(this, args);
    refusals += 1;
    throw new DOMException('no room', 'QuotaExceededError');
  });
  onTestFinished(() => spy.mockRestore());
  return { count: () => refusals };
}

function fail(reason: string): never {
  throw new Error(reason);
}

function setUp() {
  const server = createFakeServer();
  const [alice, bob] = [addDevice(server, server.addAccount()), addDevice(server, server.addAccount())];
  return { server, alice, bob, chat: directChat(alice.account, bob.account), keys: createFakeKeys('alice') };
}
