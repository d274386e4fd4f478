import { encodeContent } from '@dostar/protocol/content/codec';
import { revokeCurrentSession } from '@dostar/protocol/contract/sessions';
import { directChat } from '@dostar/protocol/ids';
import { newMessageId, type Person, startTestCluster, type TestCluster } from '@dostar/server/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { isOpened, until, untilTimeline, wordsOf } from '../device.ts';
import { openBrowser } from './pair.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
    natsUrl: string;
  }
}

let cluster: TestCluster;
beforeAll(async () => {
  const engines = { postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') };
  cluster = await startTestCluster({ ...engines, servers: 2, compareEveryMs: 500 });
});
afterAll(() => cluster[Symbol.asyncDispose]());

test('S1, R5: a message crosses two shards and two gateways, and its delivery is reported back', async () => {
  const { alice, bob, chat } = await addFriends();
  await using sender = openBrowser(cluster, alice).start(0);
  await using receiver = openBrowser(cluster, bob).start(1);

  const id = await sender.sendText({ to: bob.account, text: 'hello' });
  expect(await untilTimeline(receiver, chat, (words) => words.length === 1)).toMatchObject([
    { id, sender: alice.account, seq: 1, shows: { content: { text: 'hello' } } },
  ]);
  const [sent] = await until(sender.live.timeline(chat, 9), ([one]) => one?.status === 'delivered');
  expect(sent).toMatchObject({ id, seq: 1 });
});

test('S7: a second message to a stranger fails until they accept, and a retry then arrives', async () => {
  const [alice, bob] = [await cluster.addAccount(0), await cluster.addAccount(1)];
  const chat = directChat(alice.account, bob.account);
  await using sender = openBrowser(cluster, alice).start();
  await sender.sendText({ to: bob.account, text: 'may I?' });
  const second = await sender.sendText({ to: bob.account, text: 'please' });
  const refused = await until(sender.live.timeline(chat, 9), ([, two]) => two?.status === 'failed');
  expect(refused[1]).toMatchObject({ id: second, error: 'request_pending' });

  await cluster.befriend(alice, bob);
  await sender.retryMessage(second);
  await until(sender.live.timeline(chat, 9), (all) => all.every(({ status }) => status === 'sent'));
  expect(await cluster.listEntries(bob)).toHaveLength(2);
});

test('S2, S8, R2, R3: with lost answers and cut sockets, both sides have everything once and in order', async () => {
  const { alice, bob, chat } = await addFriends();
  let calls = 0;
  const losesAnswer = () => (calls += 1) % 4 === 0;
  const browsers = [openBrowser(cluster, alice, { losesAnswer }), openBrowser(cluster, bob, { losesAnswer })] as const;
  await using one = browsers[0].start(0);
  await using other = browsers[1].start(1);
  const words = Array.from({ length: 40 }, (_, index) => `word ${index}`);
  for (const [index, word] of words.entries()) {
    await one.sendText({ to: bob.account, text: `alice ${word}` });
    await other.sendText({ to: alice.account, text: `bob ${word}` });
    if (index % 10 === 5) browsers[index % 2]!.cut();
  }
  for (const client of [one, other]) {
    const all = await until(
      client.live.timeline(chat, 200),
      (list) => list.length >= 80 && list.every((message) => message.status !== 'sending' && isOpened(message)),
    );
    for (const name of ['alice', 'bob']) {
      expect(wordsOf(all).filter((word) => word.startsWith(name))).toEqual(words.map((word) => `${name} ${word}`));
    }
    expect(all.map(({ seq }) => seq)).toEqual(Array.from({ length: 80 }, (_, index) => index + 1));
  }
});

test('C2: a device that was offline reads only the entries that it missed', async () => {
  const { alice, bob, chat } = await addFriends();
  const browser = openBrowser(cluster, bob);
  await say(alice, bob, 'before');
  {
    await using closed = browser.start();
    await untilTimeline(closed, chat, (words) => words.length === 1);
  }
  await say(alice, bob, 'meanwhile');
  await using opened = browser.start(1);
  const all = await untilTimeline(opened, chat, (words) => words.length === 2);
  expect(wordsOf(all)).toEqual(['before', 'meanwhile']);
});

test('C3: a shard restored from a backup gets this device’s messages again', async () => {
  const { alice, bob, chat } = await addFriends();
  const browser = openBrowser(cluster, alice);
  await using sender = browser.start();
  for (const word of ['kept', 'lost']) await sender.sendText({ to: bob.account, text: word });
  await until(sender.live.timeline(chat, 9), (all) => all.length === 2 && all.every(({ seq }) => seq !== undefined));
  await until(sender.live.connection(), ({ isCaughtUp }) => isCaughtUp);
  const before = (await cluster.listEntries(bob)).map(({ id }) => id);

  await restore(alice, 1);
  await restore(bob, 1);
  browser.cut();

  await expect.poll(async () => (await cluster.listEntries(bob)).map(({ id }) => id)).toEqual(before);
  const after = await until(sender.live.timeline(chat, 9), (list) => list.every(({ status }) => status !== 'sending'));
  expect(wordsOf(after)).toEqual(['kept', 'lost']);
});

test('H4: an ended session stops the client, and a nudge after a new sign-in starts it again', async () => {
  const { alice, bob, chat } = await addFriends();
  const browser = openBrowser(cluster, alice);
  await using client = browser.start();
  await until(client.live.connection(), ({ state }) => state === 'online');
  await cluster.call(revokeCurrentSession, alice);
  await until(client.live.connection(), ({ state }) => state === 'signed_out');
  await client.sendText({ to: bob.account, text: 'later' });

  browser.token = (await cluster.addDevice(alice)).token;
  await client.nudge();
  await until(client.live.timeline(chat, 9), ([one]) => one?.status === 'sent');
  await until(client.live.connection(), ({ state }) => state === 'online');
});

test('M5: a message deleted for everyone loses its text on both sides', async () => {
  const { alice, bob, chat } = await addFriends();
  await using sender = openBrowser(cluster, alice).start();
  await using receiver = openBrowser(cluster, bob).start(1);
  const id = await sender.sendText({ to: bob.account, text: 'regret' });
  await untilTimeline(receiver, chat, ([word]) => word === 'regret');
  await until(sender.live.timeline(chat, 9), ([one]) => one?.seq === 1);
  await sender.deleteForEveryone({ sender: alice.account, id });
  await untilTimeline(receiver, chat, ([word]) => word === '(deleted)');
  await untilTimeline(sender, chat, ([word]) => word === '(deleted)');
});

test('two devices of one account see the same chat', async () => {
  const { alice, bob, chat } = await addFriends();
  await using phone = openBrowser(cluster, alice).start(0);
  await using laptop = openBrowser(cluster, await cluster.addDevice(alice)).start(1);
  await phone.sendText({ to: bob.account, text: 'from my phone' });
  await say(bob, alice, 'answer');
  for (const device of [phone, laptop]) await untilTimeline(device, chat, (words) => words.length === 2);
  expect(await laptop.listHistory({ chat })).toEqual(await phone.listHistory({ chat }));
});

async function say(from: Person, to: Person, text: string): Promise<void> {
  const head = { id: newMessageId(), chat: directChat(from.account, to.account), sender: from.account };
  const plaintext = encodeContent(head, { content: { kind: 'text', text } });
  await cluster.send(from, to, new TextDecoder().decode(plaintext), head.id);
}

async function addFriends() {
  const [alice, bob] = [await cluster.addAccount(0), await cluster.addAccount(1)];
  await cluster.befriend(alice, bob);
  return { alice, bob, chat: directChat(alice.account, bob.account) };
}

/** What an operator does after a disaster: restores an old log and raises the epoch. */
async function restore({ account }: Person, seq: number): Promise<void> {
  await cluster.ctx.shards.of(account).query(async (db) => {
    await db.deleteFrom('log').where('owner', '=', account).where('seq', '>', seq).execute();
    await db
      .updateTable('mailbox')
      .set((row) => ({ last_seq: seq, epoch: row('epoch', '+', 1) }))
      .where('owner', '=', account)
      .execute();
  });
}
