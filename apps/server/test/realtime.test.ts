import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { revokeCurrentSession } from '@dostar/protocol/contract/sessions';
import { directChat } from '@dostar/protocol/ids';
import { deliveredKey } from '@dostar/protocol/mailbox';
import { REALTIME_VERSION } from '@dostar/protocol/realtime';
import { setContact } from '../src/features/people/contacts/service.ts';
import { raiseEpoch } from '../src/features/messaging/mailbox/restore-repair.ts';
import { listRegisters, listSince, setRegisters } from '../src/features/messaging/mailbox/service.ts';
import { connectBus } from '../src/platform/bus/bus.ts';
import { createLog } from '../src/platform/observability/log.ts';
import { Socket } from '../src/platform/http/sockets.ts';
import { PausableBus } from './pausable-bus.ts';
import { randomBody, startTestCluster, TestSocket } from './test-cluster.ts';
import type { Person, TestCluster } from './test-cluster.ts';

const COMPARE_EVERY_MS = 400;

let cluster: TestCluster;
let bus: PausableBus;
beforeAll(async () => {
  bus = new PausableBus(await connectBus({ servers: [inject('natsUrl')] }, createLog('silent')));
  cluster = await startTestCluster({
    postgresUrl: inject('postgresUrl'),
    natsUrl: inject('natsUrl'),
    compareEveryMs: COMPARE_EVERY_MS,
    overrides: { bus },
  });
});
afterAll(() => cluster[Symbol.asyncDispose]());

/** Subjects to which the gateway subscribes because of a person who is not connected. */
function subjectsOf({ account }: Person): string[] {
  return bus.subjects.filter((subject) => subject.includes(account));
}

test('R2: waiting messages and later ones arrive in order, once each', async () => {
  const [alice, bob] = await cluster.addFriends();
  await cluster.send(alice, bob, 'waited');
  using socket = await cluster.resume(bob);
  await cluster.send(alice, bob, 'arrived');
  await cluster.send(alice, bob, 'arrived too');

  await socket.until(() => socket.entries().length === 3, 'three entries');
  expect(socket.seqs()).toEqual([1, 2, 3]);
  expect(socket.entries()[1]).toMatchObject({ body: Buffer.from('arrived').toString('base64url') });
});

test("R2: a sender's other device sees what was sent", async () => {
  const [alice, bob] = await cluster.addFriends();
  using laptop = await cluster.resume(await cluster.addDevice(alice));
  await cluster.send(alice, bob, 'from the phone');
  await laptop.until(() => laptop.entries().length === 1, 'the own message');
  expect(laptop.entries()[0]).toMatchObject({ sender: alice.account, peerSeq: 1 });
});

test('R2: five hundred messages sent while two devices listen arrive complete and in order', async () => {
  const [alice, bob] = await cluster.addFriends();
  using phone = await cluster.resume(bob);
  using laptop = await cluster.resume(await cluster.addDevice(bob));
  await Promise.all(Array.from({ length: 500 }, (_, n) => cluster.send(alice, bob, String(n))));
  const expected = Array.from({ length: 500 }, (_, n) => n + 1);
  await phone.until(() => phone.entries().length >= 500, 'all on the phone');
  await laptop.until(() => laptop.entries().length >= 500, 'all on the laptop');
  expect(phone.seqs()).toEqual(expected);
  expect(laptop.seqs()).toEqual(expected);
});

test('C1: a device resumes where it stopped', async () => {
  const [alice, bob] = await cluster.addFriends();
  for (let n = 0; n < 5; n += 1) await cluster.send(alice, bob, String(n));
  using socket = await cluster.resume(bob, { epoch: 1, seq: 3, rev: 0 });
  await socket.until(() => socket.entries().length === 2, 'the rest');
  expect(socket.seqs()).toEqual([4, 5]);
});

test('R2: a stream resumes only after its subscription: hints in between would be missed', async () => {
  const [, bob] = await cluster.addFriends();
  const hearing = Promise.withResolvers<void>();
  bus.isReceivePaused = hearing.promise;
  using socket = await cluster.connect(bob);
  socket.say({ t: 'resume', v: REALTIME_VERSION, cursor: null });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(socket.frames).toEqual([]);
  bus.isReceivePaused = undefined;
  hearing.resolve();
  await socket.until(() => socket.all('resumed').length === 1, 'an answer to resume');
});

test('R4: a lost hint is repaired by the comparison with the shards', async () => {
  const [alice, bob] = await cluster.addFriends();
  using socket = await cluster.resume(bob);
  bus.isSendPaused = true;
  await cluster.send(alice, bob, 'unheard');
  bus.isSendPaused = false;
  await socket.until(() => socket.entries().length === 1, 'the unheard');
  expect(socket.seqs()).toEqual([1]);
});

test('R4: a later hint also delivers the entries of a lost one', async () => {
  const [alice, bob] = await cluster.addFriends();
  using socket = await cluster.resume(bob);
  bus.isSendPaused = true;
  await cluster.send(alice, bob, 'unheard');
  bus.isSendPaused = false;
  await cluster.send(alice, bob, 'heard');
  await socket.until(() => socket.entries().length === 2, 'both');
  expect(socket.seqs()).toEqual([1, 2]);
});

test('C3: a cursor of another epoch, or ahead of the mailbox, is answered with reset', async () => {
  const [alice, bob] = await cluster.addFriends();
  await cluster.send(alice, bob, 'one');
  using other = await cluster.resume(bob, { epoch: 2, seq: 0, rev: 0 });
  expect(other.all('reset')).toEqual([{ t: 'reset', epoch: 1 }]);
  using ahead = await cluster.resume(bob, { epoch: 1, seq: 7, rev: 0 });
  expect(ahead.all('reset')).toHaveLength(1);
  ahead.say({ t: 'resume', v: REALTIME_VERSION, cursor: null });
  await ahead.until(() => ahead.entries().length === 1, 'the mailbox from its beginning');
});

test('C3: a device that is connected while the epoch is raised is told to start again', async () => {
  const [alice, bob] = await cluster.addFriends();
  using socket = await cluster.resume(bob);
  await raiseEpoch(cluster.ctx, 1);
  await socket.until(() => socket.all('reset').length === 1, 'reset');
  socket.say({ t: 'resume', v: REALTIME_VERSION, cursor: null });
  await cluster.send(alice, bob, 'in the new epoch');
  await socket.until(() => socket.entries().length === 1, 'mail of the new epoch');
});

test('R5: an ack becomes the sender’s delivered mark, in the recipient’s numbers', async () => {
  const [alice, bob] = await cluster.addFriends();
  using sender = await cluster.resume(alice);
  using reader = await cluster.resume(bob);
  await cluster.send(alice, bob, 'one');
  await cluster.send(alice, bob, 'two');
  await reader.until(() => reader.entries().length === 2, 'both messages');
  reader.say({ t: 'ack', seq: 2 });
  const key = deliveredKey(directChat(alice.account, bob.account), bob.account);
  await sender.until(() => sender.all('register').some((frame) => frame.register.mark === 2), 'the mark');
  expect(sender.all('register').at(-1)?.register).toMatchObject({ key, mark: 2 });
  await sender.until(() => sender.all('registers').length > 0, 'the revision');
  expect(sender.all('registers').at(-1)?.rev).toBe(sender.all('register').at(-1)?.register.rev);
});

test('R5: a stranger gets a delivery receipt when the request is accepted, not before', async () => {
  const [alice, bob] = [await cluster.addAccount(0), await cluster.addAccount(1)];
  await setContact(cluster.ctx, alice.account, bob.account, 'accepted');
  using sender = await cluster.resume(alice);
  using reader = await cluster.resume(bob);
  await cluster.send(alice, bob, 'may I?');
  await reader.until(() => reader.entries().length === 1, 'the request');
  reader.say({ t: 'ack', seq: 1 });
  // The ack has been handled once a later message of a contact is reported as delivered.
  const carol = await cluster.addAccount(0);
  await cluster.befriend(carol, bob);
  using friend = await cluster.resume(carol);
  await cluster.send(carol, bob, 'hello');
  await reader.until(() => reader.entries().length === 2, 'the hello');
  reader.say({ t: 'ack', seq: 2 });
  await friend.until(() => friend.all('register').some((frame) => frame.register.mark === 2), 'the mark');
  const key = deliveredKey(directChat(alice.account, bob.account), bob.account);
  const isTold = (): boolean => sender.all('register').some((frame) => frame.register.key === key);
  expect(isTold()).toBe(false);

  await setContact(cluster.ctx, bob.account, alice.account, 'accepted');
  await sender.until(isTold, 'the mark');
  expect(sender.all('register').find((frame) => frame.register.key === key)?.register).toMatchObject({ mark: 1 });
});

test('R5: a device can’t ack entries that it was not sent', async () => {
  const [, bob] = await cluster.addFriends();
  using socket = await cluster.resume(bob);
  socket.say({ t: 'ack', seq: 1 });
  await socket.closed;
  expect(socket.all('bye')).toEqual([{ t: 'bye', reason: 'protocol', afterMs: 0 }]);
});

test.each([
  ['anything before resume', JSON.stringify({ t: 'ping', n: 1 })],
  ['an unknown frame', JSON.stringify({ t: 'sudo' })],
  ['what is not JSON', '{'],
])('R1: %s ends the conversation', async (_what, text) => {
  using socket = await cluster.connect(await cluster.addAccount());
  socket.ws.send(text);
  await socket.closed;
  expect(socket.all('bye')).toMatchObject([{ reason: 'protocol' }]);
});

test.each([
  ['the server no longer speaks is to reload', 0, 'version'],
  ['this process does not speak yet is to come back', 99, 'busy'],
])('V2: a client whose version %s', async (_, v, reason) => {
  using socket = await cluster.connect(await cluster.addAccount());
  socket.say({ t: 'resume', v, cursor: null });
  await socket.closed;
  expect(socket.all('bye')).toMatchObject([{ reason }]);
});

test('R6: typing and presence reach accepted contacts only', async () => {
  const [alice, bob] = await cluster.addFriends();
  const stranger = await cluster.addAccount(0);
  using bobs = await cluster.resume(bob);
  using alices = await cluster.resume(alice);
  using strangers = await cluster.resume(stranger);

  strangers.say({ t: 'typing', to: bob.account });
  strangers.say({ t: 'watch', accounts: [bob.account] });
  alices.say({ t: 'watch', accounts: [bob.account] });
  await alices.until(() => alices.all('ephemeral').length === 1, 'what is known of Bob');
  expect(alices.all('ephemeral')[0]?.event).toEqual({ kind: 'presence', account: bob.account, lastOnline: null });
  bobs.say({ t: 'ping', n: 7 });
  await alices.until(() => alices.all('ephemeral').length === 2, 'Bob’s heartbeat');
  alices.say({ t: 'typing', to: bob.account });
  await bobs.until(() => bobs.all('ephemeral').length === 1, 'typing');

  expect(bobs.all('ephemeral')[0]?.event).toMatchObject({ kind: 'typing', from: alice.account });
  expect(bobs.all('pong')).toEqual([{ t: 'pong', n: 7 }]);
  expect(strangers.all('ephemeral')).toEqual([]);
});

test('R6: several presence requests at once make one subscription, which ends with the connection', async () => {
  const [alice, bob] = await cluster.addFriends();
  const carol = await cluster.addAccount(0);
  {
    using socket = await cluster.resume(alice);
    socket.say({ t: 'watch', accounts: [bob.account] });
    socket.say({ t: 'watch', accounts: [carol.account] });
    socket.say({ t: 'watch', accounts: [bob.account] });
    await socket.until(() => socket.all('ephemeral').length > 0, 'what is known of Bob');
    await expect.poll(() => subjectsOf(carol)).toEqual([]);
    expect(subjectsOf(bob)).toHaveLength(2);
    socket.say({ t: 'watch', accounts: [carol.account] });
  }
  await expect.poll(() => [...subjectsOf(bob), ...subjectsOf(carol)]).toEqual([]);
});

test('R6: the gateway does not subscribe to hidden presence', async () => {
  const [alice, bob] = await cluster.addFriends();
  const { breaker } = cluster.ctx.shards.of(bob.account);
  using socket = await cluster.resume(alice);
  breaker.failed();
  breaker.failed();
  socket.say({ t: 'watch', accounts: [bob.account] });
  await socket.closed;
  breaker.succeeded();
  expect(socket.all('bye')).toMatchObject([{ reason: 'busy' }]);
  await expect.poll(() => subjectsOf(bob)).toEqual([]);
});

test('H2: a socket opened by a page of another site, or without an origin, is refused', async () => {
  const alice = await cluster.addAccount();
  await expect(TestSocket.open(cluster.url, alice, { origin: 'https://elsewhere.example' })).rejects.toThrow(
    'refused: 403',
  );
  await expect(TestSocket.open(cluster.url, { ...alice, token: 'wrong' })).rejects.toThrow('refused: 401');
});

test('H4: an ended session loses its sockets within a second and its next call at once', async () => {
  const alice = await cluster.addAccount();
  const laptop = await cluster.addDevice(alice);
  using ended = await cluster.resume(alice);
  using other = await cluster.resume(laptop);
  const before = performance.now();
  expect(await cluster.call(revokeCurrentSession, alice)).toMatchObject({ status: 200 });
  await ended.closed;
  expect(performance.now() - before).toBeLessThan(1_000);
  expect(ended.all('bye')).toMatchObject([{ reason: 'signed_out' }]);
  await expect.poll(async () => (await cluster.send(alice, alice, 'still me?')).status).toBe(401);
  expect(other.ws.readyState).toBe(other.ws.OPEN);
});

test('H4: an ended session whose announcement was lost loses its sockets at the next comparison', async () => {
  const alice = await cluster.addAccount();
  using socket = await cluster.resume(alice);
  bus.isSendPaused = true;
  await cluster.call(revokeCurrentSession, alice);
  bus.isSendPaused = false;
  await socket.closed;
  expect(socket.all('bye')).toMatchObject([{ reason: 'signed_out' }]);
});

test('B1: a device that does not read costs a bounded buffer and gets everything once it reads again', async () => {
  const [alice, bob] = await cluster.addFriends();
  using socket = await cluster.resume(bob);
  socket.ws.pause();
  const body = randomBody(48 * 1024);
  for (let n = 0; n < 200; n += 1) await cluster.send(alice, bob, body);
  const buffered = process.memoryUsage().arrayBuffers;
  expect(buffered).toBeLessThan(150 * 1024 * 1024);
  socket.ws.resume();
  await socket.until(() => socket.entries().length === 200, 'everything');
  expect(socket.seqs()).toEqual(Array.from({ length: 200 }, (_, n) => n + 1));
});

test('B1: registers wait for a device that does not read, and come all once it reads again', async () => {
  const alice = await cluster.addAccount();
  const value = Buffer.alloc(34 * 1024, 7);
  const write = (n: number) => ({ owner: alice.account, key: `data/${n}`, mark: null, value });
  await setRegisters(
    cluster.ctx,
    Array.from({ length: 300 }, (_, n) => write(n)),
  );
  let sentInVain = 0;
  const { send } = Socket.prototype;
  const spy = vi.spyOn(Socket.prototype, 'send').mockImplementation(function watch(this: Socket, text) {
    if (this.isFull && text.includes('"t":"register"')) sentInVain += 1;
    send.call(this, text);
  });
  using socket = await cluster.connect(alice);
  socket.ws.pause();
  socket.say({ t: 'resume', v: REALTIME_VERSION, cursor: null });
  await vi.waitFor(() => expect((spy.mock.contexts.at(-1) as Socket | undefined)?.isFull).toBe(true), {
    timeout: 30_000,
  });
  socket.ws.resume();
  await socket.until(() => socket.all('registers').at(-1)?.rev === 300, 'everything');
  spy.mockRestore();
  expect(sentInVain).toBe(0);
  expect(socket.all('register').map(({ register }) => register.rev)).toEqual(
    Array.from({ length: 300 }, (_, n) => n + 1),
  );
});

test('B1: reads of entries and registers for one device are bounded in bytes', async () => {
  const [alice, bob] = await cluster.addFriends();
  const body = randomBody(40 * 1024);
  for (let n = 0; n < 5; n += 1) await cluster.send(alice, bob, body);
  const page = await listSince(cluster.ctx, bob.account, 0, 200, 100_000);
  expect(page.map(({ seq }) => seq)).toEqual([1, 2]);
  const value = Buffer.alloc(34 * 1024, 7);
  const wishes = Array.from({ length: 60 }, (_, n) => ({ owner: alice.account, key: `data/${n}`, mark: null, value }));
  await setRegisters(cluster.ctx, wishes);
  const { rev, registers } = await listRegisters(cluster.ctx, alice.account, 0);
  expect(registers.length).toBeLessThan(40);
  expect(rev).toBe(registers.at(-1)?.rev);
  const rest = await listRegisters(cluster.ctx, alice.account, rev);
  expect(rest.registers[0]?.rev).toBe(rev + 1);
});

test('R1: a client that floods is disconnected', async () => {
  const alice = await cluster.addAccount();
  using socket = await cluster.resume(alice);
  for (let n = 0; n < 300; n += 1) socket.say({ t: 'ping', n });
  await socket.closed;
  expect(socket.all('bye')).toMatchObject([{ reason: 'protocol' }]);
});
