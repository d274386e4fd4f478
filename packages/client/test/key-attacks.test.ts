/**
 * Attacks of a malicious server, and their effect without the safeguard against them.
 *
 * @module-tag gate: Each attack starts whole clients: half a minute of processor time.
 */
import { randomUUID } from 'node:crypto';
import type { BackupRooms } from '@dostar/protocol/contract/key-backup';
import { AppError } from '@dostar/protocol/errors';
import { type AccountId, directChat, MessageId } from '@dostar/protocol/ids';
import { roomOf, userOf } from '@dostar/protocol/matrix-ids';
// oxlint-disable-next-line no-restricted-imports -- The forger makes keys as a server could.
import * as library from '@matrix-org/matrix-sdk-crypto-wasm';
import { expect, test } from 'vitest';
import { createKeyServer, type KeyServer } from './fake-key-server.ts';
import {
  type BrowserOptions,
  makeOwner,
  openBrowser,
  settleAll,
  untilOpen,
  verify,
  wordsOf,
} from './key-ring-browsers.ts';

test.each([true, false])('a session that the server put into the backup decrypts nothing: %s', async (backupMac) => {
  const { server, alice, bob, phone } = await setUp();
  await phone[Symbol.asyncDispose]();
  // The backup's public key is known, so the server can encrypt a session of its own to it.
  const [backup] = server.account(alice.account).backups;
  const { rooms, message } = await forgeSession(String(backup!.auth_data['public_key']), alice.account, bob.account);
  Object.assign(backup!.rooms, rooms);
  await using fresh = await openBrowser(server, alice, { without: backupMac ? [] : ['backupMac'] });
  if (backupMac) {
    await expect.poll(() => fresh.logs).toContain('backup entries not genuine');
    expect(await fresh.read(message)).toEqual({ state: 'waiting', reason: 'key' });
    expect((await fresh.keyRing.counts()).forged).toBeGreaterThan(0);
  } else {
    expect(wordsOf(await untilOpen(fresh, message))).toBe('forged');
  }
});

test('a genuine entry moved to another session or chat is dropped', async () => {
  const { server, alice, phone, laptop } = await setUp();
  const message = await laptop.say(alice.account, 'hello');
  await phone.settle();
  await untilOpen(phone, message);
  const { rooms } = server.account(alice.account).backups[0]!;
  const room = roomOf(message.chat);
  await expect.poll(() => Object.keys(rooms[room]?.sessions ?? {})).toHaveLength(1);
  const [[session, entry]] = Object.entries(rooms[room]!.sessions) as [[string, never]];
  // Closed now, because it would replace a backup with forged entries.
  await phone[Symbol.asyncDispose]();
  rooms[roomOf(directChat(alice.account, makeOwner().account))] = { sessions: { [session]: entry } };
  rooms[room]!.sessions['x'.repeat(43)] = entry;
  forgetWaiting(server, alice.account);
  await using fresh = await openBrowser(server, alice);
  await expect.poll(async () => (await fresh.keyRing.counts()).forged).toBeGreaterThanOrEqual(2);
  expect(wordsOf(await untilOpen(fresh, message))).toBe('hello');
});

test.each([true, false])('a restored key decrypts only messages of its owner: %s', async (senderCheck) => {
  const { server, alice, phone, laptop } = await setUp();
  const message = await laptop.say(alice.account, 'from bob');
  await phone.settle();
  await untilOpen(phone, message);
  await expect.poll(() => Object.keys(server.account(alice.account).backups[0]!.rooms)).toHaveLength(1);
  forgetWaiting(server, alice.account);
  await using fresh = await openBrowser(server, alice, { without: senderCheck ? [] : ['senderCheck'] });
  expect(wordsOf(await untilOpen(fresh, message))).toBe('from bob');
  const swapped = await untilOpen(fresh, { ...message, sender: alice.account });
  expect(swapped.state).toBe(senderCheck ? 'refused' : 'open');
});

test('a backed-up session that starts too late is requested again until an earlier copy exists', async () => {
  const { server, alice, phone, laptop } = await setUp();
  const early = await laptop.say(alice.account, 'early');
  await phone.settle();
  await untilOpen(phone, early);
  const { rooms } = server.account(alice.account).backups[0]!;
  const room = roomOf(early.chat);
  await expect.poll(() => Object.keys(rooms[room]?.sessions ?? {})).toHaveLength(1);
  const whole = rooms[room]!;
  delete rooms[room];
  await phone[Symbol.asyncDispose]();
  server.account(alice.account).queues.delete(server.account(alice.account).dehydrated!.device_id);
  await using tablet = await openBrowser(server, alice);
  await laptop.settle();
  const late = await laptop.say(alice.account, 'late');
  await tablet.settle();
  expect(wordsOf(await untilOpen(tablet, late))).toBe('late');
  // The tablet's own copy of the session, which begins with the later message.
  await expect.poll(() => Object.keys(rooms[room]?.sessions ?? {})).toHaveLength(1);
  expect(await tablet.read(early)).toEqual({ state: 'waiting', reason: 'key' });
  await expect.poll(() => server.calls.get('/api/backup/keys/get')).toBeGreaterThan(1);
  expect(await tablet.read(early)).toEqual({ state: 'waiting', reason: 'key' });
  rooms[room] = whole;
  expect(wordsOf(await untilOpen(tablet, early))).toBe('early');
  expect((await tablet.keyRing.counts()).missingKeys).toBe(0);
});

test.each([true, false])('a message of a deleted device is decrypted in a new browser: %s', async (formerDevices) => {
  const { server, alice, bob, phone, laptop } = await setUp();
  await phone[Symbol.asyncDispose]();
  server.remove(alice.account, phone.session.device);
  await laptop.settle();
  // Only the dehydrated device receives its key.
  const message = await laptop.say(alice.account, 'while you were away');
  await laptop[Symbol.asyncDispose]();
  server.remove(bob.account, laptop.session.device);
  await using fresh = await openBrowser(server, alice, { without: formerDevices ? [] : ['formerDevices'] });
  await expect.poll(() => fresh.logs).toContain('dehydrated device visited');
  if (formerDevices) expect(await untilOpen(fresh, message)).toMatchObject({ state: 'open', trust: 'known' });
  else expect(await fresh.read(message)).toEqual({ state: 'waiting', reason: 'key' });
  // The browser has backed the key up with its owner, so the next browser knows the owner too.
  if (!formerDevices) return;
  server.account(bob.account).former.clear();
  forgetWaiting(server, alice.account);
  await using next = await openBrowser(server, alice);
  expect(await untilOpen(next, message)).toMatchObject({ state: 'open', trust: 'restored' });
});

test('no message is encrypted for a deleted device while the client queries it', async () => {
  const { server, alice, bob, phone, laptop } = await setUp();
  await using tablet = await openBrowser(server, bob);
  await phone[Symbol.asyncDispose]();
  server.remove(alice.account, phone.session.device);
  await settleAll(tablet, laptop);
  const message = await laptop.say(alice.account, 'while you were away');
  await laptop[Symbol.asyncDispose]();
  server.remove(bob.account, laptop.session.device);
  const sent: string[] = [];
  const said: Promise<unknown>[] = [];
  const queries: string[] = [];
  server.onCall = (path, body) => {
    if (path === '/api/to-device/send') sent.push(JSON.stringify(body));
    if (path === '/api/keys/former') queries.push(path);
  };
  await using fresh = await openBrowser(server, alice);
  const opened = untilOpen(fresh, message);
  for (let turn = 0; turn < 10; turn += 1) said.push(fresh.say(bob.account, `message ${turn}`));
  await Promise.all([opened, ...said]);
  expect(queries.length).toBeGreaterThan(0);
  expect(sent.length).toBeGreaterThan(0);
  expect(sent.filter((body) => body.includes(laptop.session.device))).toEqual([]);
});

test.each([true, false])(
  'an identity that changed is sealed for only once it is accepted: %s',
  async (identityBlock) => {
    const { bob, phone, laptop } = await setUp(identityBlock ? [] : ['identityBlock']);
    await phone.say(bob.account, 'before');
    await laptop.keyRing.startFresh();
    await phone.settle();
    expect(await phone.keyRing.identityOf(bob.account)).toBe('changed');
    if (!identityBlock) {
      await phone.say(bob.account, 'to whom?');
      return;
    }
    await expect(phone.say(bob.account, 'to whom?')).rejects.toMatchObject({ code: 'identity_changed' });
    await phone.keyRing.acceptIdentity(bob.account);
    const message = await phone.say(bob.account, 'to you');
    await laptop.settle();
    expect(wordsOf(await laptop.read(message))).toBe('to you');
  },
);

test('after a verified contact starts fresh, messages are held both ways until that is accepted', async () => {
  const { alice, bob, phone, laptop } = await setUp();
  await phone.say(bob.account, 'before');
  await laptop.say(alice.account, 'before');
  await verify(phone, laptop);
  await laptop.keyRing.startFresh();
  await settleAll(laptop, phone);
  expect(await phone.keyRing.identityOf(bob.account)).toBe('withdrawn');
  await expect(phone.say(bob.account, 'hm')).rejects.toMatchObject({ code: 'identity_changed' });
  const message = await laptop.say(alice.account, 'it is me').catch(() => undefined);
  if (message !== undefined) {
    await phone.settle();
    expect(await phone.read(message)).toEqual({ state: 'waiting', reason: 'identity' });
  }
  await phone.keyRing.acceptIdentity(bob.account);
  expect(await phone.keyRing.identityOf(bob.account)).toBe('known');
  if (message !== undefined) expect(wordsOf(await untilOpen(phone, message))).toBe('it is me');
});

test('concurrent first sends claim only one key of each device', async () => {
  const { server, bob, phone, laptop } = await setUp();
  const before = countKeys();
  const messages = await Promise.all(['one', 'two', 'three'].map((text) => phone.say(bob.account, text)));
  expect(before - countKeys()).toBe(1);
  await laptop.settle();
  expect(new Set(messages.map(({ body }) => phone.keyRing.sessionOf(body))).size).toBe(1);
  for (const [index, message] of messages.entries())
    expect(await laptop.read(message)).toMatchObject({ state: 'open', index });

  function countKeys(): number {
    return server.account(bob.account).oneTime.get(laptop.session.device)!.size;
  }
});

test('a room key that could not be sent is sent again before the next message', async () => {
  const { server, bob, phone, laptop } = await setUp();
  let failures = 2;
  server.onCall = (path, body) => {
    const isKey = path === '/api/to-device/send' && (body as { type: string }).type === 'm.room.encrypted';
    if (isKey && (failures -= 1) >= 0) throw new AppError('unavailable');
  };
  await expect(phone.say(bob.account, 'lost')).rejects.toMatchObject({ code: 'unavailable' });
  await expect(phone.say(bob.account, 'lost')).rejects.toMatchObject({ code: 'unavailable' });
  const message = await phone.say(bob.account, 'third time lucky');
  await laptop.settle();
  expect(wordsOf(await laptop.read(message))).toBe('third time lucky');
});

test('a message is only sent with the device list revisions that it was encrypted for', async () => {
  const { server, alice, bob, phone, laptop } = await setUp();
  const chat = directChat(alice.account, bob.account);
  const content = new TextEncoder().encode('hello');
  const { devices } = await phone.keyRing.seal({ to: bob.account, chat, content });
  expect(devices).toEqual({ own: server.account(alice.account).rev, peer: server.account(bob.account).rev });
  await using tablet = await openBrowser(server, bob);
  const { devices: stale } = await phone.keyRing.seal({ to: bob.account, chat, content });
  expect(stale!.peer).toBeLessThan(server.account(bob.account).rev);
  await phone.keyRing.refreshDevices([alice.account, bob.account]);
  const { body, devices: newer } = await phone.keyRing.seal({ to: bob.account, chat, content });
  expect(newer!.peer).toBe(server.account(bob.account).rev);
  await settleAll(laptop, tablet);
  const message = { chat, sender: alice.account, id: MessageId.parse(randomUUID()), at: 0, body };
  expect(wordsOf(await untilOpen(tablet, message))).toBe('hello');
});

test('a browser that lost its store becomes a new device; one that lost only an answer does not', async () => {
  const { server, alice, phone, laptop } = await setUp();
  const message = await laptop.say(alice.account, 'kept');
  await phone.settle();
  await untilOpen(phone, message);
  const { session, disk } = phone;
  const before = session.device;
  await phone[Symbol.asyncDispose]();
  await using again = await openBrowser(server, alice, { session, disk });
  expect(session.device).toBe(before);
  await again[Symbol.asyncDispose]();

  await using fresh = await openBrowser(server, alice, { session });
  expect(session.device).not.toBe(before);
  expect(wordsOf(await untilOpen(fresh, message))).toBe('kept');
});

test('two browsers that create the first vault concurrently end up with one identity', async () => {
  const server = createKeyServer();
  const alice = makeOwner();
  const both = await Promise.allSettled([openBrowser(server, alice), openBrowser(server, alice)]);
  expect(server.account(alice.account).vault?.rev).toBe(1);
  expect(both.some(({ status }) => status === 'fulfilled')).toBe(true);
  for (const one of both) if (one.status === 'fulfilled') await one.value[Symbol.asyncDispose]();
});

test('the next browser publishes an identity whose creator crashed after writing the vault', async () => {
  const server = createKeyServer();
  const alice = makeOwner();
  let isDying = true;
  server.onCall = (path) => {
    if (path === '/api/keys/signing' && isDying) throw new AppError('unavailable');
  };
  const first = openBrowser(server, alice);
  await expect.poll(() => server.account(alice.account).vault?.rev).toBe(1);
  isDying = false;
  await using second = await openBrowser(server, alice);
  await using browser = await first;
  expect(server.account(alice.account).signing.master_key).toBeDefined();
  await settleAll(second, browser);
  const bob = makeOwner();
  await using laptop = await openBrowser(server, bob);
  const message = await laptop.say(alice.account, 'to both');
  await settleAll(second, browser);
  for (const one of [second, browser]) expect(wordsOf(await untilOpen(one, message))).toBe('to both');
});

test('an older vault than the one seen is refused', async () => {
  const { server, alice, phone } = await setUp();
  const state = server.account(alice.account);
  const old = { ...state.vault! };
  await phone.keyRing.startFresh();
  state.vault = old;
  phone.keyRing.nudge();
  await expect.poll(() => phone.logs).toContain('vault rolled back');
});

/** A session made by the server, as it would be in the backup of `victim` if `sender` had sent it. */
async function forgeSession(publicKey: string, victim: AccountId, sender: AccountId) {
  await library.initAsync();
  const user = (): library.UserId => new library.UserId(userOf(sender));
  const machine = await library.OlmMachine.initialize(user(), new library.DeviceId('FORGER'));
  const chat = directChat(victim, sender);
  const room = new library.RoomId(roomOf(chat));
  await machine.shareRoomKey(room, [user()], new library.EncryptionSettings());
  const content = JSON.stringify({ bytes: Buffer.from('forged').toString('base64') });
  const sealed = JSON.parse(await machine.encryptRoomEvent(room, 'dostar.mail', content)) as Sealed;
  const head = Buffer.concat([Buffer.of(1), Buffer.from(sealed.session_id, 'base64')]);
  const body = new Uint8Array(Buffer.concat([head, Buffer.from(sealed.ciphertext, 'base64')]));
  await machine.enableBackupV1(publicKey, '1');
  const { rooms } = JSON.parse((await machine.backupRoomKeys())!.body) as { rooms: BackupRooms };
  machine.close();
  // Names the sender as the owner of the session, as genuine entries do.
  for (const entry of Object.values(rooms[roomOf(chat)]!.sessions)) Object.assign(entry, { owner: sender });
  return { rooms, message: { chat, sender, id: MessageId.parse(randomUUID()), at: 0, body } };
}

interface Sealed {
  session_id: string;
  ciphertext: string;
}

/** Deletes the dehydrated device, so that a new browser has only the backup. */
function forgetWaiting(server: KeyServer, account: AccountId): void {
  const state = server.account(account);
  server.remove(account, state.dehydrated!.device_id);
  delete state.dehydrated;
}

async function setUp(without: BrowserOptions['without'] = []) {
  const server = createKeyServer();
  const [alice, bob] = [makeOwner(), makeOwner()];
  const phone = await openBrowser(server, alice, { without });
  const laptop = await openBrowser(server, bob, { without });
  await settleAll(phone, laptop);
  return { server, alice, bob, phone, laptop };
}
