/** All kinds of content through the real engine and the real server, and how a new browser shows them. */
import type { Client } from '@dostar/client';
import { startTestCluster, type TestCluster } from '@dostar/server/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { until, untilTimeline, wordsOf } from '../device.ts';
import { addFriends, signIn } from './owners.ts';

let cluster: TestCluster;
beforeAll(async () => {
  const engines = { postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') };
  cluster = await startTestCluster({ ...engines, servers: 2, compareEveryMs: 500 });
});
afterAll(() => cluster[Symbol.asyncDispose]());

test('edits, deletions, drafts and stars are the same in a browser that has only the account key', async () => {
  const { alice, bob, chat } = await addFriends(cluster);
  const [me, peer] = [alice.person.account, bob.person.account];
  const phone = await signIn(cluster, alice);
  const laptop = await signIn(cluster, bob);
  await using hers = phone.client;
  await using his = laptop.client;
  const greeting = { sender: me, id: await hers.sendText({ to: peer, text: 'Сәлем, Айгерім!' }) };
  const regret = { sender: me, id: await hers.sendText({ to: peer, text: 'canary regret' }) };
  await untilTimeline(his, chat, (words) => words.length === 2);
  await his.react({ to: me, target: greeting, emoji: '❤️' });
  await his.sendText({ to: me, text: 'Қалайсың?', replyTo: greeting });
  await hers.editText({ to: peer, target: greeting, text: 'Сәлем, Айгерім жан!' });
  await hers.deleteForEveryone(regret);
  await hers.saveDraft(chat, { text: 'жарты сөз' });
  await hers.star(greeting, true);
  await until(his.live.timeline(chat, 9), (all) => all.length === 3);
  await his.markRead(chat, 99);
  await until(hers.live.timeline(chat, 9), ([one]) => one?.status === 'read');
  await until(hers.live.outbox(), (count) => count === 0);

  const tablet = await signIn(cluster, alice);
  await using again = tablet.client;
  for (const client of [hers, his, again]) await expectSame(client);
  await until(again.live.draft(chat), (draft) => draft?.text === 'жарты сөз');
  await until(again.live.starred(9), (list) => list.length === 1);
  await expect
    .poll(async () => wordsOf((await again.search({ text: 'айгерим' })).map(({ message }) => message)))
    .toEqual(['Сәлем, Айгерім жан!']);
  expect(await again.search({ text: 'canary' })).toEqual([]);

  async function expectSame(client: Client): Promise<void> {
    const all = await until(
      client.live.timeline(chat, 9),
      (list) =>
        list.length === 3 &&
        list[0]!.reactions.length === 1 &&
        list[1]!.shows.state === 'deleted' &&
        list[0]!.editedAt !== undefined &&
        list[2]!.quote !== undefined,
    );
    expect(wordsOf(all)).toEqual(['Сәлем, Айгерім жан!', '(deleted)', 'Қалайсың?']);
    expect(all[0]!.reactions).toEqual([{ emoji: '❤️', by: [peer] }]);
  }
});
