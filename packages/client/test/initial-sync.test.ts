import { listChat } from '@dostar/protocol/contract/messages';
import { directChat } from '@dostar/protocol/ids';
import { expect, test } from 'vitest';
import { addDevice, until, untilTimeline, wordsOf } from './device.ts';
import { createFakeServer } from './fake-server.ts';
import { createFastClock } from './fast-clock.ts';

test('a new browser shows the newest message of each chat and the open chat before the log has arrived', async () => {
  const { alice, bob, chat } = await setUp();
  // The socket opens and stays silent, so no part of the log arrives.
  await using receiver = bob.start({
    openSocket: (url, events) => bob.line.openSocket(url, { ...events, onText: () => {} }),
  });
  const [line] = await until(receiver.live.chats(), ([one]) => one?.last.shows.state === 'content');
  expect(line).toMatchObject({ chat, peer: alice.account });
  expect(wordsOf([line!.last])).toEqual(['three']);
  await untilTimeline(receiver, chat, (words) => words.join() === 'one,two,three');
});

test('the log is not requested while the newest page of an open chat is loading', async () => {
  const { bob, chat } = await setUp();
  const [asked, page] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await using receiver = bob.start({
    clock: createFastClock(1),
    async fetch(input, init) {
      if (new URL(input as URL).pathname === listChat.path) {
        asked.resolve();
        await page.promise;
      }
      return bob.line.fetch(input, init);
    },
    openSocket: (url, events) =>
      bob.line.openSocket(url, { ...events, onText: (text) => void asked.promise.then(() => events.onText(text)) }),
  });
  await until(receiver.live.chats(), ([line]) => line?.last.shows.state === 'content');
  const opened = untilTimeline(receiver, chat, (words) => words.join() === 'one,two,three');
  await asked.promise;
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await until(receiver.live.connection(), () => true)).toMatchObject({ isCaughtUp: false });
  page.resolve();
  await opened;
  await until(receiver.live.connection(), ({ isCaughtUp }) => isCaughtUp);
});

/** Alice has sent "one", "two", "three" and "gone". */
async function setUp() {
  const server = createFakeServer();
  const [alice, bob] = [addDevice(server, server.addAccount()), addDevice(server, server.addAccount())];
  const chat = directChat(alice.account, bob.account);
  await using sender = alice.start();
  for (const text of ['one', 'two', 'three']) await sender.sendText({ to: bob.account, text });
  await until(sender.live.timeline(chat, 9), (all) => all.length === 3 && all.every(({ seq }) => seq !== undefined));
  return { alice, bob, chat };
}
