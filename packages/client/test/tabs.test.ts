import { directChat } from '@dostar/protocol/ids';
import { expect, test, vi } from 'vitest';
import { addDevice, bytes, until, untilTimeline } from './device.ts';
import { createFakeWire } from './fake-wire.ts';

const { locks } = navigator;

test('two tabs share one socket; both see and send the same', async () => {
  const { wire, alice, bob, chat } = setUp();
  await using first = alice.start({ locks });
  await until(first.live.connection(), ({ state }) => state === 'online');
  await using second = alice.start({ locks });

  await second.sendMessage({ to: bob.account, body: bytes('from the second tab') });
  await until(second.live.timeline(chat, 9), ([one]) => one?.status === 'sent');
  await untilTimeline(first, chat, (words) => words.length === 1);

  expect(wire.linkCount()).toBe(1);
  expect(wire.mailOf(bob.account)).toHaveLength(1);
  await until(second.live.connection(), ({ state }) => state === 'online');
});

test('when the leading tab ends, the next one leads', async () => {
  const { wire, alice, bob, chat } = setUp();
  const first = alice.start({ locks });
  await until(first.live.connection(), ({ state }) => state === 'online');
  await using second = alice.start({ locks });
  await first[Symbol.asyncDispose]();

  await vi.waitFor(() => expect(wire.linkCount()).toBe(1));
  await second.sendMessage({ to: bob.account, body: bytes('still here') });
  await until(second.live.timeline(chat, 9), ([one]) => one?.status === 'sent');
});

test('a tab that never led ends without harm', async () => {
  const { alice } = setUp();
  await using leader = alice.start({ locks });
  const follower = alice.start({ locks });
  await follower[Symbol.asyncDispose]();
  await until(leader.live.connection(), ({ state }) => state === 'online');
});

test('a nudge in one tab wakes the one that leads', async () => {
  const { alice, bob, chat } = setUp();
  alice.line.account = undefined;
  await using leader = alice.start({ locks });
  await until(leader.live.connection(), ({ state }) => state === 'signed_out');
  await using follower = alice.start({ locks });
  await follower.sendMessage({ to: bob.account, body: bytes('after signing in') });
  alice.line.account = alice.account;
  await follower.nudge();
  await until(follower.live.timeline(chat, 9), ([one]) => one?.status === 'sent');
});

function setUp() {
  const wire = createFakeWire();
  const [alice, bob] = [addDevice(wire, wire.addAccount()), addDevice(wire, wire.addAccount())];
  return { wire, alice, bob, chat: directChat(alice.account, bob.account) };
}
