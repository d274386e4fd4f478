import type { Clock, Message } from '@dostar/client';
import { directChat } from '@dostar/protocol/ids';
import { expect, test } from 'vitest';
import { addDevice, clock, until, untilTimeline } from './device.ts';
import { createFakeKeys } from './fake-key-ring.ts';
import { createFakeServer } from './fake-server.ts';

const POLL_INTERVAL_MS = 600_000;

/** A clock whose ten minutes pass on request. */
function createManualClock() {
  let wake: (() => void) | undefined;
  const held: Clock = {
    now: clock.now,
    sleep: (ms, signal) =>
      ms === POLL_INTERVAL_MS
        ? new Promise((resolve) => {
            wake = resolve;
            signal.addEventListener('abort', () => resolve());
          })
        : clock.sleep(ms, signal),
  };
  return {
    held,
    /** Runs one check from beginning to end. */
    async look(): Promise<void> {
      await expect.poll(() => wake).toBeDefined();
      const begin = wake!;
      wake = undefined;
      begin();
      await expect.poll(() => wake).toBeDefined();
    },
  };
}

/** Counts messages that were tried and wait for their key. One that has only arrived was not tried yet. */
function countTried(messages: Message[]): number {
  return messages.filter(({ shows }) => shows.state === 'waiting' && shows.reason === 'key').length;
}

test('an undecryptable message is reported once, and only as a number', async () => {
  const server = createFakeServer(clock.now);
  const [alice, bob] = [addDevice(server, server.addAccount()), addDevice(server, server.addAccount())];
  const chat = directChat(alice.account, bob.account);
  const keys = createFakeKeys('alice');
  const { held, look } = createManualClock();
  await using sender = alice.start(keys);
  await using receiver = bob.start({ ...keys, clock: held });
  await look();
  keys.missing.add('alice');
  await sender.sendText({ to: bob.account, text: 'sealed' });
  await until(receiver.live.timeline(chat, 9), (all) => countTried(all) === 1);

  await look();
  expect(server.closed).toEqual([]);
  await look();
  expect(server.closed).toEqual([{ count: 1 }]);
  await look();
  expect(server.closed).toEqual([{ count: 1 }]);

  keys.missing.clear();
  keys.arrive([{ chat, session: 'alice' }]);
  await untilTimeline(receiver, chat, ([word]) => word === 'sealed');
  await look();
  expect(server.closed).toEqual([{ count: 1 }]);
});

test('a message decrypted between two checks is not counted, and a lost report is repeated', async () => {
  const server = createFakeServer(clock.now);
  const [alice, bob] = [addDevice(server, server.addAccount()), addDevice(server, server.addAccount())];
  const chat = directChat(alice.account, bob.account);
  const keys = createFakeKeys((number) => `stream ${number}`);
  const { held, look } = createManualClock();
  await using sender = alice.start(keys);
  await using receiver = bob.start({ ...keys, clock: held });
  // Messages that arrive before the first check are not counted.
  await look();
  keys.missing.add('stream 1').add('stream 2');
  for (const text of ['late', 'never']) await sender.sendText({ to: bob.account, text });
  await until(receiver.live.timeline(chat, 9), (all) => countTried(all) === 2);
  await look();
  keys.missing.delete('stream 1');
  keys.arrive([{ chat, session: 'stream 1' }]);
  await until(receiver.live.timeline(chat, 9), (all) => countTried(all) === 1);
  bob.line.isDown = true;
  await look();
  bob.line.isDown = false;
  expect(server.closed).toEqual([]);
  await look();
  expect(server.closed).toEqual([{ count: 1 }]);
});
