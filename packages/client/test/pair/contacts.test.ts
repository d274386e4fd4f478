import type { Contact, KeyRing } from '@dostar/client';
import { storeInvite, readInvite, redeemStoredInvite, type InviteStorage } from '@dostar/client/invites';
import {
  CONTACT_PREFERENCES,
  type ContactPreferences,
  DEFAULT_PREFERENCES,
  SEALED_PREFERENCES,
} from '@dostar/protocol/contract/contact-preferences';
import { decideContact, getContacts } from '@dostar/protocol/contract/contacts';
import { AppError } from '@dostar/protocol/errors';
import { directChat } from '@dostar/protocol/ids';
import { otherValue } from '@dostar/protocol/testing/other-value';
import { type Person, startTestCluster, type TestCluster } from '@dostar/server/testing';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { openClearKeyRing } from '../clear-key-ring.ts';
import { until } from '../device.ts';
import { type TestBrowserOptions, openBrowser } from './pair.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl'), servers: 2 });
});
afterAll(() => cluster[Symbol.asyncDispose]());

/** Errors of live reads that restarted. Users do not see them, but the screen does not update for a second. */
const failed: unknown[] = [];
afterEach(() => expect(failed.splice(0)).toEqual([]));

function open(person: Person, edge: TestBrowserOptions = {}): ReturnType<typeof openBrowser> {
  return openBrowser(cluster, person, {
    ...edge,
    log: (event, fields) => event === 'live query failed' && failed.push(fields),
  });
}

/** The master key that `addNamed` publishes. */
const KEY = 'key';
const accountKey = async () => new Uint8Array(32).fill(7);

test('W2: a request and its first message are written offline, in order, and the answer shows on every device', async () => {
  const [alice, bob] = [await cluster.addNamed(0), await cluster.addNamed(1)];
  const browser = open(alice);
  await using phone = browser.start(0);
  await using laptop = open(await cluster.addDevice(alice)).start(1);
  await using theirs = open(bob).start(1);

  const found = await phone.contacts.find(bob.username);
  expect(found).toMatchObject({ id: bob.account, publicKey: KEY });
  await phone.contacts.accept(bob.account);
  await phone.sendText({ to: bob.account, text: 'salem' });
  // The contact is shown before the server has stored it.
  await until(phone.live.contact(bob.account), (contact) => contact?.state === 'accepted');

  const asked = await until(theirs.live.contact(alice.account), (contact) => contact?.username !== undefined);
  expect(asked).toMatchObject({ state: 'asked', peerAccepts: true, username: alice.username });
  await theirs.contacts.accept(alice.account);
  for (const device of [phone, laptop]) {
    const contact = await until(device.live.contact(bob.account), (known) => known?.peerAccepts === true);
    expect(contact).toMatchObject({ state: 'accepted' });
  }
  await phone.sendText({ to: bob.account, text: 'and more' });
  const chat = directChat(alice.account, bob.account);
  await until(theirs.live.timeline(chat, 9), (messages) => messages.length === 2);
});

test('W6: preferences are shown at once, survive a reload, and sync to the other devices', async () => {
  const [alice, bob] = [await cluster.addNamed(0), await cluster.addNamed(1)];
  await cluster.befriend(alice, bob);
  await using phone = open(alice).start();
  await using laptop = open(await cluster.addDevice(alice)).start(1);
  await until(phone.live.contact(bob.account), (known) => known?.state === 'accepted');
  await phone.contacts.change(bob.account, { alias: ' Bobby ' });
  await until(phone.live.contacts(), ([known]) => known?.alias === 'Bobby');
  await phone.contacts.change(bob.account, { alias: null });
  await until(phone.live.contacts(), ([known]) => known?.alias === null);
  await phone.contacts.change(bob.account, { mutedUntil: 42 });
  await phone.contacts.change(bob.account, { pinned: true });
  for (const device of [phone, laptop]) {
    const contact = await until(device.live.contact(bob.account), (known) => known?.pinned === true);
    expect(contact).toMatchObject({ mutedUntil: 42, state: 'accepted' });
  }
});

test('W6: preferences of a contact reach the other devices, and the server can’t read the sealed ones', async () => {
  const [alice, bob] = [await cluster.addNamed(0), await cluster.addNamed(1)];
  await cluster.befriend(alice, bob);
  await using phone = open(alice).start(0, { accountKey });
  await using laptop = open(await cluster.addDevice(alice)).start(1, { accountKey });
  const before = await until(laptop.live.contact(bob.account), (known) => known?.state === 'accepted');
  expect(before).toMatchObject(DEFAULT_PREFERENCES);
  const names = Object.keys(CONTACT_PREFERENCES) as (keyof ContactPreferences)[];
  const others = Object.fromEntries(names.map((name) => [name, otherValue(name)]));
  await phone.contacts.change(bob.account, others);
  const isChanged = (known: Contact | null) => names.every((name) => known?.[name] === others[name]);
  for (const device of [phone, laptop]) await until(device.live.contact(bob.account), isChanged);

  const { users } = (await cluster.call(getContacts, alice)).body;
  for (const name of SEALED_PREFERENCES) expect(users[0]?.contact).not.toHaveProperty(name);
  await phone.contacts.change(bob.account, DEFAULT_PREFERENCES);
  const isDefault = (known: Contact | null) => names.every((name) => known?.[name] === DEFAULT_PREFERENCES[name]);
  for (const device of [phone, laptop]) await until(device.live.contact(bob.account), isDefault);
});

test('W4: a decision whose answer was lost is repeated, and does not undo a later one of another device', async () => {
  const [alice, bob] = [await cluster.addNamed(0), await cluster.addNamed(1)];
  await cluster.befriend(alice, bob);
  let isLosing = false;
  await using client = open(alice, { losesAnswer: () => isLosing }).start();
  await until(client.live.connection(), ({ state }) => state === 'online');
  await until(client.live.contact(bob.account), (known) => known?.username !== undefined);
  isLosing = true;
  await client.contacts.block(bob.account);
  await expect.poll(() => cluster.send(bob, alice, 'there?')).toMatchObject({ body: { error: 'blocked' } });
  const act = crypto.randomUUID();
  await cluster.call(decideContact, alice, { act, peer: bob.account, decision: 'unblock' });
  isLosing = false;
  await until(client.live.contact(bob.account), (known) => known?.state === 'accepted');
  expect(await cluster.send(bob, alice, 'here')).toMatchObject({ status: 200 });
});

test.each(['unavailable', 'identity_changed'] as const)(
  'a block does not wait behind an undecryptable message: %s',
  async (code) => {
    const [alice, bob] = [await cluster.addNamed(0), await cluster.addNamed(1)];
    const openKeyRing = (): KeyRing => ({
      ...openClearKeyRing(),
      seal: () => Promise.reject(new AppError(code)),
    });
    await using phone = open(alice).start(0, { openKeyRing });
    await using laptop = open(await cluster.addDevice(alice)).start(1);
    await phone.contacts.accept(bob.account);
    await phone.sendText({ to: bob.account, text: 'hi' });
    await until(phone.live.outbox(), (count) => count === 1);
    await phone.contacts.block(bob.account);
    await until(laptop.live.contact(bob.account), (contact) => contact?.state === 'blocked');
  },
);

test('R6: typing is shown and ends, and last seen is updated for watched users', async () => {
  const [alice, bob] = [await cluster.addNamed(0), await cluster.addNamed(1)];
  await cluster.befriend(alice, bob);
  const chat = directChat(alice.account, bob.account);
  await using hers = open(alice).start(0);
  await using his = open(bob).start(1);
  await until(hers.live.contact(bob.account), (known) => known?.peerAccepts === true);
  await until(his.live.connection(), ({ state }) => state === 'online');
  await until(hers.live.connection(), ({ state }) => state === 'online');

  await hers.sendTyping(bob.account);
  await until(his.live.typing(chat), (who) => who.includes(alice.account));
  await hers.sendText({ to: bob.account, text: 'done' });
  await until(his.live.typing(chat), (who) => who.length === 0);

  const stop = his.watchPresence([alice.account]);
  using beat = await cluster.connect(alice);
  beat.say({ t: 'resume', v: 1, cursor: null });
  // The gateway stores a heartbeat at most once a minute, so one from before the watch could hide later ones.
  const beating = setInterval(() => beat.say({ t: 'ping', n: 1 }), 300);
  await until(his.live.lastOnline(alice.account), (seen) => seen !== null);
  clearInterval(beating);
  stop();
});

function createStorage(): InviteStorage {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

test('I1, I5: an invite survives a sign-up, adds a contact, and pins the key that it names', async () => {
  const host = await cluster.addNamed(0);
  await using client = open(host).start();
  const { link } = await client.contacts.createInvite({ publicKey: KEY });
  expect(new URL(link).search + new URL(link).pathname).toBe('/invite');

  const storage = createStorage();
  storeInvite(storage, readInvite(new URL(link).hash)!, Date.now());
  const guest = await cluster.addNamed(1);
  const browser = open(guest);
  const welcome = await redeemStoredInvite(storage, browser.deps(), new AbortController().signal);
  expect(welcome).toMatchObject({ user: { id: host.account, username: host.username }, isSameKey: true });
  expect(await redeemStoredInvite(storage, browser.deps(), new AbortController().signal)).toBe(undefined);

  await using inside = browser.start(1);
  const contact = await until(inside.live.contact(host.account), (known) => known?.peerAccepts === true);
  expect(contact).toMatchObject({ state: 'accepted', username: host.username });
});

test('I5: nothing is encrypted for keys other than those of the invite, until the user accepts them', async () => {
  const [host, guest] = [await cluster.addNamed(0), await cluster.addNamed(1)];
  await using client = open(host).start();
  const { link } = await client.contacts.createInvite({ publicKey: KEY });
  const storage = createStorage();
  storeInvite(storage, readInvite(link)!, Date.now());
  const browser = open(guest);
  await redeemStoredInvite(storage, browser.deps(), new AbortController().signal);

  const sealedFor: string[] = [];
  const pinned = new Set<string>();
  const openKeyRing = (): KeyRing => {
    const keyRing = openClearKeyRing();
    return {
      ...keyRing,
      pinIdentity: async (account) => void pinned.add(account),
      acceptIdentity: async (account) => void pinned.delete(account),
      // Its keys differ from those of every link.
      async seal(draft) {
        if (pinned.has(draft.to)) throw new AppError('identity_changed');
        sealedFor.push(draft.to);
        return keyRing.seal(draft);
      },
    };
  };
  await using inside = browser.start(1, { openKeyRing });
  const chat = directChat(host.account, guest.account);
  await inside.sendText({ to: host.account, text: 'is it you?' });
  const [held] = await until(inside.live.timeline(chat, 9), ([one]) => one?.error === 'identity_changed');
  expect(held).toMatchObject({ status: 'sending' });
  expect(sealedFor).toEqual([]);

  await inside.keys.acceptIdentity(host.account);
  await inside.nudge();
  await until(inside.live.timeline(chat, 9), ([one]) => one?.status === 'sent' || one?.status === 'delivered');
  expect(sealedFor).toEqual([host.account]);
});

test('an invalid link is recognized as such', () => {
  for (const text of ['', '#', '#abc', `#${'A'.repeat(43)}`, `#${'A'.repeat(43)}.${'B'.repeat(22)}.x`]) {
    expect(readInvite(text)).toBe(undefined);
  }
  const link = `https://dostar.example/kz/invite#${'A'.repeat(43)}.${'B'.repeat(22)}`;
  expect(readInvite(link)).toEqual({ token: 'A'.repeat(43), fingerprint: 'B'.repeat(22) });
});
