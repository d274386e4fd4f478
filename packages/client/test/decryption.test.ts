import { encodeContent } from '@dostar/protocol/content/codec';
import type { Content } from '@dostar/protocol/content/kinds';
import { type AccountId, directChat, type MessageId } from '@dostar/protocol/ids';
import { expect, test, vi } from 'vitest';
import { addDevice, clock, until, untilTimeline, wordsOf } from './device.ts';
import { createFakeKeys, sealFake } from './fake-key-ring.ts';
import { createFakeServer } from './fake-server.ts';

test('a message without its key waits, and is decrypted when the key arrives', async () => {
  const { alice, bob, chat, keys } = setUp();
  keys.missing.add('alice');
  await using sender = alice.start(keys);
  await using receiver = bob.start(keys);
  await sender.sendText({ to: bob.account, text: 'sealed' });
  const waiting = await until(receiver.live.timeline(chat, 9), ([one]) => reasonOf(one) === 'key');
  expect(waiting).toMatchObject([{ shows: { state: 'waiting', reason: 'key' } }]);

  keys.missing.clear();
  keys.arrive([{ chat, session: 'somebody else' }]);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(receiver.live.timeline(chat, 9).getSnapshot() ?? waiting).toMatchObject([{ shows: { state: 'waiting' } }]);
  keys.arrive([{ chat, session: 'alice' }]);
  await untilTimeline(receiver, chat, ([word]) => word === 'sealed');
});

test('a new browser requests the log as soon as its chat list is decrypted, also if keys arrived late', async () => {
  const { server, alice, bob, chat, keys } = setUp();
  {
    await using sender = alice.start(keys);
    await sender.sendText({ to: bob.account, text: 'sealed' });
    await until(sender.live.outbox(), (count) => count === 0);
  }
  keys.missing.add('alice');
  // The timeout never fires in this test, so only the decrypted list ends the wait.
  const patient: typeof clock = {
    ...clock,
    sleep: (ms, signal) => clock.sleep(ms === 3_000 ? ms * 1_000 : ms, signal),
  };
  server.frames.length = 0;
  await using receiver = bob.start({ ...keys, clock: patient });
  await until(receiver.live.chats(), ([line]) => reasonOf(line?.last) === 'key');
  expect(server.frames.filter(({ t }) => t === 'resume')).toEqual([]);
  keys.missing.clear();
  keys.arrive([{ chat, session: 'alice' }]);
  await until(receiver.live.connection(), ({ isCaughtUp }) => isCaughtUp);
});

test('a key that arrives during the attempt to decrypt its message is used', async () => {
  const { alice, bob, chat, keys } = setUp();
  await using sender = alice.start(keys);
  keys.missing.add('alice');
  const tried = vi.fn();
  await using receiver = bob.start({
    openKeyRing() {
      const keyRing = keys.openKeyRing();
      return {
        ...keyRing,
        async open(message) {
          const opened = await keyRing.open(message);
          // The key arrives after the search for it has failed and before that failure is stored.
          if (opened.state === 'waiting') {
            tried();
            keys.missing.clear();
            keys.arrive([{ chat, session: 'alice' }]);
            await new Promise((resolve) => setTimeout(resolve, 20));
          }
          return opened;
        },
      };
    },
  });
  await sender.sendText({ to: bob.account, text: 'sealed' });
  await untilTimeline(receiver, chat, ([word]) => word === 'sealed');
  expect(tried).toHaveBeenCalledOnce();
});

test('a key that arrived while no tab was open is tried at the next start', async () => {
  const { alice, bob, chat, keys } = setUp();
  keys.missing.add('alice');
  await using sender = alice.start(keys);
  await sender.sendText({ to: bob.account, text: 'sealed' });
  {
    await using closed = bob.start(keys);
    await until(closed.live.timeline(chat, 9), ([one]) => reasonOf(one) === 'key');
  }
  keys.missing.clear();
  await using opened = bob.start(keys);
  await untilTimeline(opened, chat, ([word]) => word === 'sealed');
});

test('E1: a ciphertext delivered with another id, chat or sender is refused', async () => {
  const { server, alice, bob, chat, keys } = setUp();
  await using receiver = bob.start(keys);
  const carol = addDevice(server, server.addAccount());
  const head = { id: newId(), chat, sender: alice.account };
  const body = seal(head, 1, { kind: 'text', text: 'for bob, once' });
  await carry(alice, head.id, bob.account, body);
  await untilTimeline(receiver, chat, ([word]) => word === 'for bob, once');

  await carry(alice, newId(), bob.account, seal(head, 2, { kind: 'text', text: 'again' }));
  await carry(carol, head.id, bob.account, seal(head, 3, { kind: 'text', text: 'from carol?' }));
  const [, again] = await until(receiver.live.timeline(chat, 9), ([, two]) => two?.shows.state === 'refused');
  const swapped = await until(
    receiver.live.timeline(directChat(carol.account, bob.account), 9),
    ([one]) => one?.shows.state === 'refused',
  );
  expect([again?.shows, swapped[0]?.shows]).toEqual([
    { state: 'refused', reason: 'mismatch' },
    { state: 'refused', reason: 'mismatch' },
  ]);
});

test('E2: a second message with the same session and index is refused as a replay', async () => {
  const { alice, bob, chat, keys } = setUp();
  await using receiver = bob.start(keys);
  const [first, second] = [newId(), newId()];
  await carry(
    alice,
    first,
    bob.account,
    seal({ id: first, chat, sender: alice.account }, 7, { kind: 'text', text: 'one' }),
  );
  await untilTimeline(receiver, chat, ([word]) => word === 'one');
  await carry(
    alice,
    second,
    bob.account,
    seal({ id: second, chat, sender: alice.account }, 7, { kind: 'text', text: 'two' }),
  );
  const all = await until(receiver.live.timeline(chat, 9), ([, two]) => two?.shows.state === 'refused');
  expect(all[1]?.shows).toEqual({ state: 'refused', reason: 'replayed' });
});

test('bytes that are not an encrypted message are refused and do not block others', async () => {
  const { alice, bob, chat, keys } = setUp();
  await using receiver = bob.start(keys);
  await carry(alice, newId(), bob.account, Buffer.from('nonsense'));
  const head = { id: newId(), chat, sender: alice.account };
  await carry(alice, head.id, bob.account, seal(head, 1, { kind: 'text', text: 'fine' }));
  const all = await untilTimeline(receiver, chat, ([, two]) => two === 'fine');
  expect(wordsOf(all)).toEqual(['(refused)', 'fine']);
});

test('E5: a message of an unknown kind keeps its place and counts as unread', async () => {
  const { alice, bob, chat, keys } = setUp();
  await using receiver = bob.start(keys);
  const head = { id: newId(), chat, sender: alice.account };
  const poll = Buffer.from(JSON.stringify({ ...head, content: { kind: 'poll', options: [] } }));
  await carry(alice, head.id, bob.account, sealFake({ session: 'alice', index: 1, content: poll }));
  await untilTimeline(receiver, chat, ([word]) => word === '(unknown)');
  await until(receiver.live.chats(), ([one]) => one?.unread === 1);
});

test('S6: after stale_devices the message is encrypted again and sent under its id', async () => {
  const { server, alice, bob, chat, keys } = setUp();
  server.faults.push('stale_devices');
  await using sender = alice.start(keys);
  const id = await sender.sendText({ to: bob.account, text: 'sealed twice' });
  await until(sender.live.timeline(chat, 9), ([one]) => one?.status === 'sent');
  expect(keys.sealed).toBe(2);
  expect(server.listEntries(bob.account)).toMatchObject([{ id }]);
});

test('with a changed identity messages are held and marked, and are sent once it is accepted', async () => {
  const { server, alice, bob, chat, keys } = setUp();
  keys.changed.add(bob.account);
  await using sender = alice.start(keys);
  await sender.sendText({ to: bob.account, text: 'one' });
  await sender.sendText({ to: bob.account, text: 'two' });
  const held = await until(sender.live.timeline(chat, 9), ([one]) => one?.error !== undefined);
  expect(held[0]).toMatchObject({ status: 'sending', error: 'identity_changed' });
  expect(server.listEntries(bob.account)).toEqual([]);

  keys.changed.clear();
  await sender.nudge();
  const sent = await until(sender.live.timeline(chat, 9), (all) => all.every(({ status }) => status === 'sent'));
  expect(wordsOf(sent)).toEqual(['one', 'two']);
  expect(sent[0]).not.toHaveProperty('error');
});

test('the local database contains no readable message', async () => {
  const { alice, bob, chat, keys } = setUp();
  await using sender = alice.start(keys);
  await using receiver = bob.start(keys);
  await sender.sendText({ to: bob.account, text: 'canary-in-the-mine' });
  await untilTimeline(receiver, chat, ([word]) => word === 'canary-in-the-mine');
  await until(sender.live.timeline(chat, 9), ([one]) => one?.status === 'delivered');
  for (const { indexedDB, account } of [alice, bob]) {
    const dump = await dumpDatabase(indexedDB, `dostar/${account}`);
    expect(dump).toContain(chat);
    expect(dump).not.toContain('canary');
    expect(dump).not.toContain(Buffer.from('canary-in-the-mine').toString('base64url').slice(0, 12));
  }
});

test('the newest message of each chat is decrypted before older ones', async () => {
  const { alice, bob, chat, keys } = setUp();
  {
    await using sender = alice.start(keys);
    for (let n = 1; n <= 80; n += 1) await sender.sendText({ to: bob.account, text: `word ${n}` });
    await vi.waitFor(
      async () =>
        expect((await sender.listHistory({ chat, limit: 99 })).every(({ status }) => status === 'sent')).toBe(true),
      60_000,
    );
  }
  await using receiver = bob.start(keys);
  const order: string[] = [];
  const live = receiver.live.timeline(chat, 100);
  const stop = live.subscribe(() => {
    const first = live.getSnapshot()?.findIndex(({ shows }) => shows.state === 'content');
    if (order.length === 0 && first !== undefined && first >= 0) order.push(wordsOf(live.getSnapshot() ?? [])[first]!);
  });
  const list = await until(receiver.live.chats(), ([one]) => one !== undefined && wordsOf([one.last])[0] === 'word 80');
  expect(list).toHaveLength(1);
  await untilTimeline(receiver, chat, (words) => words.length === 80);
  stop();
  expect(order[0]).not.toBe('word 1');
});

test('keys are requested one by one for visible messages: in the list, and in an open chat', async () => {
  const { server } = setUp();
  const [alice, bob] = [addDevice(server, server.addAccount()), addDevice(server, server.addAccount())];
  const chat = directChat(alice.account, bob.account);
  const keys = createFakeKeys((number) => `stream ${number}`);
  {
    await using sender = alice.start(keys);
    for (let n = 1; n <= 4; n += 1) await sender.sendText({ to: bob.account, text: `word ${n}` });
    await until(sender.live.outbox(), (count) => count === 0);
  }
  for (let n = 1; n <= 4; n += 1) keys.missing.add(`stream ${n}`);
  const urgent = new Set<string>();
  const patient = new Set<string>();
  await using receiver = bob.start({
    openKeyRing() {
      const keyRing = keys.openKeyRing();
      return {
        ...keyRing,
        async open(message) {
          (message.canWait ? patient : urgent).add(keyRing.sessionOf(message.body)!);
          return keyRing.open(message);
        },
      };
    },
  });
  await vi.waitFor(() => expect(patient.size).toBe(3), 60_000);
  expect([...urgent]).toEqual(['stream 4']);
  await until(receiver.live.timeline(chat, 9), (all) => all.length === 4);
  await vi.waitFor(() => expect(urgent.size).toBe(4), 60_000);
});

function setUp() {
  const server = createFakeServer();
  const [one, other] = [addDevice(server, server.addAccount()), addDevice(server, server.addAccount())];
  return {
    server,
    alice: one,
    bob: other,
    chat: directChat(one.account, other.account),
    keys: createFakeKeys('alice'),
  };
}

function reasonOf(message: { shows: { state: string; reason?: string } } | undefined): string | undefined {
  return message?.shows.reason;
}

function newId(): MessageId {
  return crypto.randomUUID() as MessageId;
}

function seal(head: Parameters<typeof encodeContent>[0], index: number, content: Content): Uint8Array {
  return sealFake({ session: 'alice', index, content: encodeContent(head, { content })! });
}

/** Puts an entry into a mailbox, as a malicious server could. */
async function carry(
  from: ReturnType<typeof addDevice>,
  id: MessageId,
  to: AccountId,
  body: Uint8Array,
): Promise<void> {
  const response = await from.line.fetch(new URL('/api/messages/send', from.line.baseUrl), {
    method: 'POST',
    headers: { 'x-dostar': '1' },
    body: JSON.stringify({ id, to, body: Buffer.from(body).toString('base64url') }),
  });
  expect(response.ok).toBe(true);
}

/** All data in the profile folder as text, as an attacker with a copy could read it. */
async function dumpDatabase(indexedDB: IDBFactory, name: string): Promise<string> {
  const db = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(name);
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error));
  });
  const rows: unknown[] = [];
  for (const store of db.objectStoreNames) {
    const request = db.transaction(store).objectStore(store).getAll();
    await new Promise((resolve) => request.addEventListener('success', resolve));
    rows.push(...(request.result as unknown[]));
  }
  db.close();
  return JSON.stringify(rows, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
  );
}
