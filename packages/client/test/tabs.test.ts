import type { Identity, KeyRing, Locks } from '@dostar/client';
import { AppError } from '@dostar/protocol/errors';
import { directChat } from '@dostar/protocol/ids';
import { expect, test, vi } from 'vitest';
import { openClearKeyRing } from './clear-key-ring.ts';
import { addDevice, until, untilTimeline } from './device.ts';
import { createFakeServer } from './fake-server.ts';

const { locks } = navigator;

test('two tabs share one socket; both see and send the same', async () => {
  const { server, alice, bob, chat } = setUp();
  await using first = alice.start({ locks });
  await until(first.live.connection(), ({ state }) => state === 'online');
  await using second = alice.start({ locks });

  await second.sendText({ to: bob.account, text: 'from the second tab' });
  await until(second.live.timeline(chat, 9), ([one]) => one?.status === 'sent');
  await untilTimeline(first, chat, (words) => words.length === 1);

  expect(server.linkCount()).toBe(1);
  expect(server.listEntries(bob.account)).toHaveLength(1);
  await until(second.live.connection(), ({ state }) => state === 'online');
});

test('when the leading tab ends, the next one leads', async () => {
  const { server, alice, bob, chat } = setUp();
  const first = alice.start({ locks });
  await until(first.live.connection(), ({ state }) => state === 'online');
  await using second = alice.start({ locks });
  await first[Symbol.asyncDispose]();

  await vi.waitFor(() => expect(server.linkCount()).toBe(1), 60_000);
  await second.sendText({ to: bob.account, text: 'still here' });
  await until(second.live.timeline(chat, 9), ([one]) => one?.status === 'sent');
});

test('a tab that never led ends without harm', async () => {
  const { alice } = setUp();
  await using leader = alice.start({ locks });
  const follower = alice.start({ locks });
  await follower[Symbol.asyncDispose]();
  await until(leader.live.connection(), ({ state }) => state === 'online');
});

test('a nudge in one tab reaches the leading tab', async () => {
  const { alice, bob, chat } = setUp();
  alice.line.account = undefined;
  await using leader = alice.start({ locks });
  await until(leader.live.connection(), ({ state }) => state === 'signed_out');
  await using follower = alice.start({ locks });
  await follower.sendText({ to: bob.account, text: 'after signing in' });
  alice.line.account = alice.account;
  await follower.nudge();
  await until(follower.live.timeline(chat, 9), ([one]) => one?.status === 'sent');
});

test('a follower asks the leading tab about keys, and answers itself once it leads', async () => {
  const { alice, bob } = setUp();
  const first = alice.start({ locks, openKeyRing: knows('changed') });
  await until(first.live.connection(), ({ state }) => state === 'online');
  await using second = alice.start({ locks, openKeyRing: knows('verified') });
  expect(await second.keys.identityOf(bob.account)).toBe('changed');
  await first[Symbol.asyncDispose]();
  await expect.poll(() => second.keys.identityOf(bob.account)).toBe('verified');
});

test('a refusal of the leader reaches every tab, and without a leader no call hangs', async () => {
  const { alice, bob } = setUp();
  await using leader = alice.start({ locks, openKeyRing: refuses });
  await until(leader.live.connection(), ({ state }) => state === 'online');
  await using follower = alice.start({ locks });
  const refusal = follower.keys.requestVerification(bob.account);
  await expect(refusal).rejects.toMatchObject({ code: 'reauthenticate', details: { since: 1 } });

  const neverLeads: Locks = {
    request: (_, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
  };
  await using lonely = bob.start({ locks: neverLeads });
  await expect(lonely.keys.identityOf(alice.account)).rejects.toMatchObject({ code: 'unavailable' });
});

function knows(identity: Identity): () => KeyRing {
  return () => ({ ...openClearKeyRing(), identityOf: async () => identity });
}

function refuses(): KeyRing {
  return {
    ...openClearKeyRing(),
    requestVerification: () => Promise.reject(new AppError('reauthenticate', { since: 1 })),
  };
}

function setUp() {
  const server = createFakeServer();
  const [alice, bob] = [addDevice(server, server.addAccount()), addDevice(server, server.addAccount())];
  return { server, alice, bob, chat: directChat(alice.account, bob.account) };
}
