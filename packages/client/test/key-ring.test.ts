/** @module-tag gate: Each test starts whole clients: half a minute. */
import { getBackupKeys } from '@dostar/protocol/contract/key-backup';
import { uploadSignatures } from '@dostar/protocol/contract/device-keys';
import { AppError } from '@dostar/protocol/errors';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createKeyServer } from './fake-key-server.ts';
import {
  type Browser,
  type BrowserOptions,
  makeOwner,
  openBrowser,
  type Owner,
  settleAll,
  untilOpen,
  wordsOf,
} from './key-ring-browsers.ts';

test('every device of both sides decrypts a message and knows its author', async () => {
  const { server, alice, bob, phone, laptop } = await setUp();
  await using tablet = await openBrowser(server, bob);
  await settleAll(tablet, phone, laptop);
  const message = await phone.say(bob.account, 'hello');
  await settleAll(laptop, tablet);
  for (const device of [laptop, tablet]) {
    expect(await untilOpen(device, message)).toMatchObject({ state: 'open', trust: 'known', index: 0 });
  }
  expect(await phone.read(message)).toMatchObject({ state: 'open', trust: 'own' });
  const answer = await tablet.say(alice.account, 'hi');
  await settleAll(phone, laptop);
  expect(wordsOf(await phone.read(answer))).toBe('hi');
  expect(await laptop.read(answer)).toMatchObject({ state: 'open', trust: 'own' });
});

test('a new browser with only the account key reads everything, also earlier messages', async () => {
  const { server, alice, bob, phone, laptop } = await setUp();
  const messages = [await phone.say(bob.account, 'one'), await laptop.say(alice.account, 'two')];
  await settleAll(phone, laptop);
  await using fresh = await openBrowser(server, alice);
  await fresh.settle();
  expect(wordsOf(await untilOpen(fresh, messages[0]!))).toBe('one');
  expect(wordsOf(await untilOpen(fresh, messages[1]!))).toBe('two');
});

test('a message written while no browser was signed in is read by the next browser', async () => {
  const { server, alice, phone, laptop } = await setUp();
  await phone[Symbol.asyncDispose]();
  server.remove(alice.account, phone.session.device);
  await laptop.settle();
  const message = await laptop.say(alice.account, 'while you were away');
  await using fresh = await openBrowser(server, alice);
  await fresh.settle();
  expect(wordsOf(await untilOpen(fresh, message))).toBe('while you were away');
});

test('every browser reads the dehydrated device, and replaces it only when it is old', async () => {
  const { server, alice, phone, laptop } = await setUp();
  const state = server.account(alice.account);
  const first = state.dehydrated!.device_id;
  await phone[Symbol.asyncDispose]();
  server.remove(alice.account, phone.session.device);
  await laptop.settle();
  const message = await laptop.say(alice.account, 'while offline');
  await using tablet = await openBrowser(server, alice);
  expect(wordsOf(await untilOpen(tablet, message))).toBe('while offline');
  await using desktop = await openBrowser(server, alice);
  expect(wordsOf(await untilOpen(desktop, message))).toBe('while offline');
  expect(state.dehydrated!.device_id).toBe(first);
  state.dehydratedAge = 31 * 86_400_000;
  await using _later = await openBrowser(server, alice);
  expect(state.dehydrated!.device_id).not.toBe(first);
});

test('a browser without the account key is locked and reports that', async () => {
  const { server, alice, laptop } = await setUp();
  const message = await laptop.say(alice.account, 'private');
  await using thief = await openBrowser(server, { ...alice, key: new Uint8Array(32) });
  await thief.settle();
  expect(await thief.read(message)).toEqual({ state: 'waiting', reason: 'locked' });
});

test('late keys decrypt waiting messages', async () => {
  const { server, bob, phone, laptop } = await setUp();
  const arrived: string[] = [];
  laptop.keyRing.onKeys((keys) => {
    if (keys !== 'all') arrived.push(...keys.map(({ session }) => session));
  });
  const message = await phone.say(bob.account, 'early');
  expect(await laptop.read(message)).toEqual({ state: 'waiting', reason: 'key' });
  await laptop.settle();
  expect(arrived).toContain(laptop.keyRing.sessionOf(message.body));
  expect(wordsOf(await laptop.read(message))).toBe('early');
  await vi.waitFor(() => expect(server.calls.get('/api/backup/keys/get')).toBeGreaterThan(0), 60_000);
});

test('keys of invisible messages are fetched with the whole backup, not one by one', async () => {
  const { server, alice, bob, phone } = await setUp();
  const message = { ...(await phone.say(bob.account, 'long ago')), canWait: true };
  await phone.settle();
  // The events of the dehydrated device are in the backup from here on, and nowhere else.
  await using tablet = await openBrowser(server, alice);
  await settleAll(tablet, phone);
  const state = server.account(alice.account);
  state.queues.delete(state.dehydrated!.device_id);
  const session = server.connect(alice.account);
  const named: boolean[] = [];
  async function fetch(input: URL, init: RequestInit): Promise<Response> {
    if (input.pathname === getBackupKeys.path) named.push((init.body as string).includes('"names"'));
    return session.fetch(input, init);
  }
  await using fresh = await openBrowser(server, alice, {
    session: { ...session, fetch: fetch as typeof session.fetch },
  });
  expect(wordsOf(await untilOpen(fresh, message))).toBe('long ago');
  expect(named).toEqual([false]);
});

test('keys of visible messages are fetched together, not one by one', async () => {
  const { server, alice, laptop, phone } = await setUp();
  await using friends = new AsyncDisposableStack();
  const messages = [await laptop.say(alice.account, 'first')];
  for (let count = 0; count < 6; count += 1) {
    const friend = friends.use(await openBrowser(server, makeOwner()));
    messages.push(await friend.say(alice.account, 'hello'));
  }
  await phone.settle();
  await using tablet = await openBrowser(server, alice);
  await settleAll(tablet, phone);
  await using fresh = await openBrowser(server, alice);
  await fresh.settle();
  server.calls.clear();
  await Promise.all(messages.map((message) => fresh.read(message)));
  for (const message of messages) await untilOpen(fresh, message);
  expect(server.calls.get(getBackupKeys.path) ?? 0).toBeLessThanOrEqual(2);
});

test('nothing is encrypted for a device that is not signed yet: it could never be read', async () => {
  const { server, phone } = await setUp();
  const carol = makeOwner();
  let isHeld = true;
  server.onCall = (path) => {
    if (isHeld && path === uploadSignatures.path) throw new AppError('unavailable');
  };
  const joining = openBrowser(server, carol);
  await vi.waitFor(() => expect(server.account(carol.account).signing.master_key).toBeDefined(), 60_000);
  await expect(phone.say(carol.account, 'too early')).rejects.toMatchObject({ code: 'unavailable' });
  isHeld = false;
  await using tablet = await joining;
  const message = await phone.say(carol.account, 'welcome');
  await tablet.settle();
  expect(wordsOf(await untilOpen(tablet, message))).toBe('welcome');
});

test('a device that the server added gets no key', async () => {
  const { server, bob, phone, laptop } = await setUp();
  await using spy = await openBrowser(server, { ...bob, key: new Uint8Array(32) });
  await settleAll(spy, phone, laptop);
  const message = await phone.say(bob.account, 'secret');
  await settleAll(spy, laptop);
  expect((await spy.read(message)).state).toBe('waiting');
  expect(wordsOf(await laptop.read(message))).toBe('secret');
});

test('without that safeguard the server’s device can read messages', async () => {
  const { server, bob, phone, laptop } = await setUp(['signedDevicesOnly']);
  await using spy = await openBrowser(server, { ...bob, key: new Uint8Array(32) }, { without: ['heldMessages'] });
  await settleAll(spy, phone, laptop);
  const message = await phone.say(bob.account, 'secret');
  await settleAll(spy);
  expect(wordsOf(await spy.read(message))).toBe('secret');
});

test.each([true, false])('a message of another sender is refused: %s', async (senderCheck) => {
  const { server, bob, phone, laptop } = await setUp(senderCheck ? [] : ['senderCheck', 'heldMessages']);
  const eve = makeOwner();
  await using evil = await openBrowser(server, eve);
  await evil.settle();
  const message = await phone.say(bob.account, 'pay 10');
  await laptop.settle();
  const opened = await laptop.read({ ...message, sender: eve.account });
  expect(opened.state).toBe(senderCheck ? 'refused' : 'open');
});

test('tampered and truncated bytes are refused without an exception', async () => {
  const { bob, phone, laptop } = await setUp();
  const message = await phone.say(bob.account, 'whole');
  await laptop.settle();
  const tampered = message.body.slice();
  tampered[60] = (tampered[60] ?? 0) ^ 1;
  for (const body of [tampered, message.body.slice(0, -9), new Uint8Array(), new Uint8Array(80), Uint8Array.of(1)]) {
    expect(await laptop.read({ ...message, body })).toEqual({ state: 'refused', reason: 'malformed' });
  }
  expect(wordsOf(await laptop.read(message))).toBe('whole');
});

test('a fresh start is not undone by a concurrent read of the vault', async () => {
  const { bob, laptop } = await setUp();
  for (const round of [1, 2, 3]) {
    const before = await laptop.keyRing.masterKeyOf(bob.account);
    const looking = setInterval(() => laptop.keyRing.nudge(), 5);
    await laptop.keyRing.startFresh();
    clearInterval(looking);
    await laptop.settle();
    expect(await laptop.keyRing.masterKeyOf(bob.account), `round ${round}`).not.toBe(before);
  }
});

async function setUp(without: BrowserOptions['without'] = []): Promise<{
  server: ReturnType<typeof createKeyServer>;
  alice: Owner;
  bob: Owner;
  phone: Browser;
  laptop: Browser;
}> {
  const server = createKeyServer();
  const [alice, bob] = [makeOwner(), makeOwner()];
  const phone = await openBrowser(server, alice, { without });
  const laptop = await openBrowser(server, bob, { without });
  onTestFinished(async () => {
    await phone[Symbol.asyncDispose]();
    await laptop[Symbol.asyncDispose]();
  });
  await settleAll(phone, laptop);
  return { server, alice, bob, phone, laptop };
}
