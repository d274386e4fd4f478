import { endSession } from '@dostar/protocol/contract/sessions';
import { directChat } from '@dostar/protocol/ids';
import { type Person, startWorld, type World } from '@dostar/server/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { bytes, until, untilTimeline, wordsOf } from '../device.ts';
import { openBrowser } from './pair.ts';

let world: World;
beforeAll(async () => {
  const engines = { postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') };
  world = await startWorld({ ...engines, servers: 2, compareEveryMs: 500 });
});
afterAll(() => world[Symbol.asyncDispose]());

test('S1, R5: a message crosses two shards and two gateways, and its delivery comes back', async () => {
  const { alice, bob, chat } = await addFriends();
  await using sender = openBrowser(world, alice).start(0);
  await using receiver = openBrowser(world, bob).start(1);

  const id = await sender.sendMessage({ to: bob.account, body: bytes('hello') });
  expect(await untilTimeline(receiver, chat, (words) => words.length === 1)).toMatchObject([
    { id, sender: alice.account, seq: 1, body: bytes('hello') },
  ]);
  const [sent] = await until(sender.live.timeline(chat, 9), ([one]) => one?.status === 'delivered');
  expect(sent).toMatchObject({ id, seq: 1 });
});

test('S7: a second message to a stranger fails until they accept, and a retry then arrives', async () => {
  const [alice, bob] = [await world.addAccount(0), await world.addAccount(1)];
  const chat = directChat(alice.account, bob.account);
  await using sender = openBrowser(world, alice).start();
  await sender.sendMessage({ to: bob.account, body: bytes('may I?') });
  const second = await sender.sendMessage({ to: bob.account, body: bytes('please') });
  const refused = await until(sender.live.timeline(chat, 9), ([, two]) => two?.status === 'failed');
  expect(refused[1]).toMatchObject({ id: second, error: 'request_pending' });

  await world.befriend(alice, bob);
  await sender.retryMessage(second);
  await until(sender.live.timeline(chat, 9), (all) => all.every(({ status }) => status === 'sent'));
  expect(await world.mailOf(bob)).toHaveLength(2);
});

test('S2, S8, R2, R3: with lost answers and cut sockets, both sides have everything once and in order', async () => {
  const { alice, bob, chat } = await addFriends();
  let calls = 0;
  const losesAnswer = () => (calls += 1) % 4 === 0;
  const browsers = [openBrowser(world, alice, { losesAnswer }), openBrowser(world, bob, { losesAnswer })] as const;
  await using one = browsers[0].start(0);
  await using other = browsers[1].start(1);
  const words = Array.from({ length: 40 }, (_, index) => `word ${index}`);
  for (const [index, word] of words.entries()) {
    await one.sendMessage({ to: bob.account, body: bytes(`alice ${word}`) });
    await other.sendMessage({ to: alice.account, body: bytes(`bob ${word}`) });
    if (index % 10 === 5) browsers[index % 2]!.cut();
  }
  for (const client of [one, other]) {
    const all = await until(
      client.live.timeline(chat, 200),
      (list) => list.length >= 80 && list.every(({ status }) => status !== 'sending'),
    );
    for (const name of ['alice', 'bob']) {
      expect(wordsOf(all).filter((word) => word.startsWith(name))).toEqual(words.map((word) => `${name} ${word}`));
    }
    expect(all.map(({ seq }) => seq)).toEqual(Array.from({ length: 80 }, (_, index) => index + 1));
  }
}, 60_000);

test('C2: a device that was away reads what it missed, and no more', async () => {
  const { alice, bob, chat } = await addFriends();
  const browser = openBrowser(world, bob);
  await world.send(alice, bob, 'before');
  {
    await using closed = browser.start();
    await untilTimeline(closed, chat, (words) => words.length === 1);
  }
  await world.send(alice, bob, 'meanwhile');
  await using opened = browser.start(1);
  const all = await untilTimeline(opened, chat, (words) => words.length === 2);
  expect(wordsOf(all)).toEqual(['before', 'meanwhile']);
});

test('C3: a shard restored from a backup gets back what this device sent', async () => {
  const { alice, bob, chat } = await addFriends();
  const browser = openBrowser(world, alice);
  await using sender = browser.start();
  for (const word of ['kept', 'lost']) await sender.sendMessage({ to: bob.account, body: bytes(word) });
  await until(sender.live.timeline(chat, 9), (all) => all.length === 2 && all.every(({ seq }) => seq !== undefined));
  await until(sender.live.connection(), ({ isCaughtUp }) => isCaughtUp);
  const before = (await world.mailOf(bob)).map(({ id }) => id);

  await restore(alice, 1);
  await restore(bob, 1);
  browser.cut();

  await expect.poll(async () => (await world.mailOf(bob)).map(({ id }) => id), { timeout: 10_000 }).toEqual(before);
  const after = await until(sender.live.timeline(chat, 9), (list) => list.every(({ status }) => status !== 'sending'));
  expect(wordsOf(after)).toEqual(['kept', 'lost']);
});

test('H4: an ended session stops the client, and a new one with a nudge starts it again', async () => {
  const { alice, bob, chat } = await addFriends();
  const browser = openBrowser(world, alice);
  await using client = browser.start();
  await until(client.live.connection(), ({ state }) => state === 'online');
  await world.call(endSession, alice);
  await until(client.live.connection(), ({ state }) => state === 'signed_out');
  await client.sendMessage({ to: bob.account, body: bytes('later') });

  browser.token = (await world.addDevice(alice)).token;
  await client.nudge();
  await until(client.live.timeline(chat, 9), ([one]) => one?.status === 'sent');
  await until(client.live.connection(), ({ state }) => state === 'online');
});

test('M5: a message erased everywhere loses its words on both sides', async () => {
  const { alice, bob, chat } = await addFriends();
  await using sender = openBrowser(world, alice).start();
  await using receiver = openBrowser(world, bob).start(1);
  const id = await sender.sendMessage({ to: bob.account, body: bytes('regret') });
  await untilTimeline(receiver, chat, ([word]) => word === 'regret');
  await until(sender.live.timeline(chat, 9), ([one]) => one?.seq === 1);
  await sender.eraseMessage({ sender: alice.account, id, everywhere: true });
  await untilTimeline(receiver, chat, ([word]) => word === '(erased)');
  await untilTimeline(sender, chat, ([word]) => word === '(erased)');
});

test('two devices of one account see the same chat', async () => {
  const { alice, bob, chat } = await addFriends();
  await using phone = openBrowser(world, alice).start(0);
  await using laptop = openBrowser(world, await world.addDevice(alice)).start(1);
  await phone.sendMessage({ to: bob.account, body: bytes('from my phone') });
  await world.send(bob, alice, 'answer');
  for (const device of [phone, laptop]) await untilTimeline(device, chat, (words) => words.length === 2);
  expect(await laptop.listHistory({ chat })).toEqual(await phone.listHistory({ chat }));
});

async function addFriends() {
  const [alice, bob] = [await world.addAccount(0), await world.addAccount(1)];
  await world.befriend(alice, bob);
  return { alice, bob, chat: directChat(alice.account, bob.account) };
}

/** What an operator does after a disaster: the log as it was, and a new epoch. */
async function restore({ account }: Person, seq: number): Promise<void> {
  await world.ctx.shards.of(account).query(async (db) => {
    await db.deleteFrom('log').where('owner', '=', account).where('seq', '>', seq).execute();
    await db
      .updateTable('mailbox')
      .set((row) => ({ last_seq: seq, epoch: row('epoch', '+', 1) }))
      .where('owner', '=', account)
      .execute();
  });
}
