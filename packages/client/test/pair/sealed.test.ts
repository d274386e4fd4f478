/** @module-tag gate: Real servers and whole clients: three quarters of a minute. */
import { randomBytes } from 'node:crypto';
import type { Message } from '@dostar/client';
import { readVault, type VaultDeps, writeVault } from '@dostar/client/vault';
import { createBackup, getBackup, putBackupKeys } from '@dostar/protocol/contract/key-backup';
import { decideContact } from '@dostar/protocol/contract/contacts';
import { claimKeys, renewDevice } from '@dostar/protocol/contract/device-keys';
import { sendMessage } from '@dostar/protocol/contract/messages';
import { revokeCurrentSession, getSession } from '@dostar/protocol/contract/sessions';
import { putVault } from '@dostar/protocol/contract/vault';
import { userOf } from '@dostar/protocol/matrix-ids';
import { newMessageId, startTestCluster, type TestCluster } from '@dostar/server/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { until, untilTimeline } from '../device.ts';
import { WITHOUT } from '../sabotage/safeguards.ts';
import { loadSabotagedClient } from '../sabotage/sabotaged-client.ts';
import { addFriends, expectWords, type Owner, type SealedBrowser, signIn, startBrowser, untilEvent } from './owners.ts';
import { type TestBrowserOptions, openBrowser } from './pair.ts';

let cluster: TestCluster;
beforeAll(async () => {
  const engines = { postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') };
  cluster = await startTestCluster({ ...engines, servers: 2, compareEveryMs: 500 });
});
afterAll(() => cluster[Symbol.asyncDispose]());

test('two people with two devices each talk, and the server can read none of their messages', async () => {
  const { alice, bob, chat } = await addFriends(cluster);
  await using all = new Browsers();
  const phone = all.use(await signIn(cluster, alice));
  const laptop = all.use(await signIn(cluster, bob));
  await phone.client.sendText({ to: bob.person.account, text: 'hello' });
  await expectWords(chat, ['hello'], laptop, phone);
  const [tablet, desktop] = [all.use(await signIn(cluster, alice)), all.use(await signIn(cluster, bob))];
  await desktop.client.sendText({ to: alice.person.account, text: 'hi' });
  await expectWords(chat, ['hello', 'hi'], phone, tablet, laptop, desktop);
  await until(desktop.client.live.timeline(chat, 9), (shown) => shown.at(-1)?.status === 'delivered');
  const stored = Buffer.concat((await cluster.listEntries(bob.person)).map(bodyOf)).toString('latin1');
  for (const word of ['hello', Buffer.from('hello').toString('base64'), alice.person.account]) {
    expect(stored).not.toContain(word);
  }
});

function areSent(messages: Message[]): boolean {
  return messages.every(({ status }) => status !== 'sending');
}

test('a browser with only the account key reads all earlier messages', async () => {
  const { alice, bob, chat } = await addFriends(cluster);
  const words: string[] = [];
  {
    await using all = new Browsers();
    const phone = all.use(await signIn(cluster, alice));
    const laptop = all.use(await signIn(cluster, bob));
    for (const number of [1, 2, 3]) {
      await phone.client.sendText({ to: bob.person.account, text: `alice ${number}` });
      await laptop.client.sendText({ to: alice.person.account, text: `bob ${number}` });
    }
    // A message that is still being sent when the browser ends would stay on its disk.
    for (const { client } of [laptop, phone]) {
      await until(client.live.timeline(chat, 9), (shown) => shown.length === 6 && areSent(shown));
    }
    await expect
      .poll(
        async () => (await laptop.client.listHistory({ chat })).filter(({ shows }) => shows.state === 'content').length,
      )
      .toBe(6);
    for (const { shows } of await laptop.client.listHistory({ chat })) {
      words.push(shows.state === 'content' && shows.content.kind === 'text' ? shows.content.text : '?');
    }
  }
  await using later = new Browsers();
  for (const owner of [alice, bob]) {
    const { client } = later.use(await signIn(cluster, owner));
    // Messages that crossed on the way have a different order on each side.
    await untilTimeline(client, chat, (shown) => shown.toSorted().join() === words.toSorted().join());
  }
});

test('a message sent while every device was signed out is read by the next device', async () => {
  const { alice, bob, chat } = await addFriends(cluster);
  await using all = new Browsers();
  const laptop = all.use(await signIn(cluster, bob));
  const phone = await signIn(cluster, alice);
  await phone.client[Symbol.asyncDispose]();
  await cluster.call(revokeCurrentSession, { ...alice.person, token: phone.token });
  await cluster.call(revokeCurrentSession, alice.person);
  await laptop.client.sendText({ to: alice.person.account, text: 'while you were away' });
  await until(laptop.client.live.timeline(chat, 9), ([one]) => one?.status === 'sent');
  await expectWords(chat, ['while you were away'], all.use(await signIn(cluster, alice)));
});

// Nightly: nine browsers. The other tests do the same with two devices.
test('three devices each, some added and some gone in between, all read all', { tags: ['nightly'] }, async () => {
  const { alice, bob, chat } = await addFriends(cluster);
  await using all = new Browsers();
  const words: string[] = [];
  const live = { alice: [] as SealedBrowser[], bob: [] as SealedBrowser[] };
  for (const round of [1, 2, 3]) {
    live.alice.push(all.use(await signIn(cluster, alice)));
    live.bob.push(all.use(await signIn(cluster, bob)));
    await live.alice.at(-1)!.client.sendText({ to: bob.person.account, text: `alice ${round}` });
    words.push(`alice ${round}`);
    await expectWords(chat, words, ...live.alice, ...live.bob);
    await live.bob[0]!.client.sendText({ to: alice.person.account, text: `bob ${round}` });
    words.push(`bob ${round}`);
    await expectWords(chat, words, ...live.alice, ...live.bob);
  }
});

test('a session without the account key, which a server could create, gets no key', async () => {
  const { alice, bob, chat } = await addFriends(cluster);
  await using all = new Browsers();
  const phone = all.use(await signIn(cluster, alice));
  const laptop = all.use(await signIn(cluster, bob));
  const spy = all.use(await signIn(cluster, { ...bob, accountKey: new Uint8Array(32) }));
  await phone.client.sendText({ to: bob.person.account, text: 'secret' });
  await expectWords(chat, ['secret'], laptop);
  await until(spy.client.live.timeline(chat, 9), (shown) => shown.length === 1);
  await laptop.client.sendText({ to: alice.person.account, text: 'also secret' });
  await expectWords(chat, ['secret', 'also secret'], phone);
  await until(spy.client.live.timeline(chat, 9), (shown) => shown.length === 2);
  for (const { shows } of await spy.client.listHistory({ chat })) expect(shows.state).not.toBe('content');
  expect((await spy.client.keys.counts()).opened).toBe(0);
});

test('the same ciphertext under another id is refused', async () => {
  const { alice, bob, chat } = await addFriends(cluster);
  await using all = new Browsers();
  const phone = all.use(await signIn(cluster, alice));
  const laptop = all.use(await signIn(cluster, bob));
  await phone.client.sendText({ to: bob.person.account, text: 'pay 10' });
  await expectWords(chat, ['pay 10'], laptop);
  const [entry] = await cluster.listEntries(bob.person);
  const body = bodyOf(entry!).toString('base64url');
  await cluster.call(sendMessage, alice.person, { id: newMessageId(), to: bob.person.account, body });
  await phone.client.sendText({ to: bob.person.account, text: 'after it' });
  await expect
    .poll(async () => (await laptop.client.listHistory({ chat })).map(({ shows }) => shows.state))
    .toEqual(['content', 'refused', 'content']);
});

test('an identity that changed blocks sending until it is accepted', async () => {
  await using all = new Browsers();
  const { bob, chat, phone, laptop } = await startChat(all);
  await laptop.client.keys.startFresh();
  await expect.poll(() => phone.client.keys.identityOf(bob.person.account)).toBe('changed');

  await phone.client.sendText({ to: bob.person.account, text: 'is it still you?' });
  await until(phone.client.live.timeline(chat, 9), (shown) => shown.at(-1)?.error === 'identity_changed');
  expect(await cluster.listEntries(bob.person)).toHaveLength(1);
  await phone.client.keys.acceptIdentity(bob.person.account);
  await expectWords(chat, ['before', 'is it still you?'], laptop);
});

test('K5, S7: a blocked sender who refreshes the device list is refused, and sends again after the unblock', async () => {
  await using all = new Browsers();
  const { alice, bob, chat, phone, laptop } = await startChat(all);
  await cluster.call(decideContact, bob.person, { act: newMessageId(), peer: alice.person.account, decision: 'block' });
  // For her he has no devices now, so there is no revision that a message could name.
  await phone.keyRing!.refreshDevices([bob.person.account]);
  const draft = { to: bob.person.account, chat, content: new Uint8Array(256) };
  await expect(phone.keyRing!.seal(draft)).rejects.toThrow('unavailable');
  await phone.client.sendText({ to: bob.person.account, text: 'after' });
  const failed = await until(phone.client.live.timeline(chat, 9), (shown) => shown.at(-1)?.status === 'failed');
  expect(failed.at(-1)).toMatchObject({ error: 'blocked' });
  await cluster.call(decideContact, bob.person, {
    act: newMessageId(),
    peer: alice.person.account,
    decision: 'unblock',
  });
  await phone.client.retryMessage(failed.at(-1)!.id);
  await expectWords(chat, ['before', 'after'], laptop);
});

test('D2: a chat key that was dropped during a block is replaced after the refused message', async () => {
  await using all = new Browsers();
  const { alice, bob, chat, phone, laptop } = await startChat(all);
  // Bob's browser knows Alice's devices and has no key for the chat yet.
  await laptop.keyRing!.refreshDevices([alice.person.account]);
  const decide = { act: newMessageId(), peer: bob.person.account };
  await cluster.call(decideContact, alice.person, { ...decide, decision: 'block' });
  await laptop.client.sendText({ to: alice.person.account, text: 'are you there?' });
  const failed = await until(laptop.client.live.timeline(chat, 9), (shown) => shown.at(-1)?.status === 'failed');
  expect(failed.at(-1)).toMatchObject({ error: 'blocked' });
  await cluster.call(decideContact, alice.person, { ...decide, act: newMessageId(), decision: 'unblock' });
  await laptop.client.retryMessage(failed.at(-1)!.id);
  await expectWords(chat, ['before', 'are you there?'], laptop, phone);
});

test('when all one-time keys are used up, the fallback key serves, and new ones follow', async () => {
  const { alice, bob, chat } = await addFriends(cluster);
  await using all = new Browsers();
  const laptop = all.use(await signIn(cluster, bob));
  const { body: session } = await cluster.call(getSession, { ...bob.person, token: laptop.token });
  const one = { one_time_keys: { [userOf(bob.person.account)]: { [session.device as string]: 'signed_curve25519' } } };
  for (let claim = 0; claim < 60; claim += 1) await cluster.call(claimKeys, alice.person, one as never);
  const phone = all.use(await signIn(cluster, alice));
  await phone.client.sendText({ to: bob.person.account, text: 'by the fallback key' });
  await expectWords(chat, ['by the fallback key'], laptop);
});

test('a browser that crashed between uploading keys and the answer continues as the same device', async () => {
  const { alice, bob, chat } = await addFriends(cluster);
  await using all = new Browsers();
  const laptop = all.use(await signIn(cluster, bob));
  let isDying = false;
  const phone = await signIn(cluster, alice, { losesAnswer: () => isDying });
  isDying = true;
  await laptop.client.sendText({ to: alice.person.account, text: 'one' });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await phone.client[Symbol.asyncDispose]();
  isDying = false;
  const reborn = all.use(await startBrowser(phone));
  await expectWords(chat, ['one'], reborn);
  await reborn.client.sendText({ to: bob.person.account, text: 'two' });
  await expectWords(chat, ['one', 'two'], laptop);
  expect(reborn.events).not.toContain('device renewed');
});

test('a wiped browser with its cookie becomes a new device and reads everything', async () => {
  const { alice, bob, chat } = await addFriends(cluster);
  await using all = new Browsers();
  const laptop = all.use(await signIn(cluster, bob));
  const phone = await signIn(cluster, alice);
  await phone.client.sendText({ to: bob.person.account, text: 'before the wipe' });
  await expectWords(chat, ['before the wipe'], laptop);
  await phone.client[Symbol.asyncDispose]();

  const wiped = all.use(await signIn(cluster, alice, { token: phone.token }));
  expect(wiped.events).toContain('device renewed');
  await expectWords(chat, ['before the wipe'], wiped);
  await laptop.client.sendText({ to: alice.person.account, text: 'after it' });
  await expectWords(chat, ['before the wipe', 'after it'], wiped);
});

test('a device that is renewed while the server is down is renewed once the server is back', async () => {
  const { alice, bob, chat } = await addFriends(cluster);
  await using all = new Browsers();
  const laptop = all.use(await signIn(cluster, bob));
  const phone = await signIn(cluster, alice);
  await phone.client.sendText({ to: bob.person.account, text: 'before the wipe' });
  await expectWords(chat, ['before the wipe'], laptop);
  await phone.client[Symbol.asyncDispose]();

  let tries = 0;
  const onCall = (path: string): void => {
    if (path === renewDevice.path && ++tries < 3) throw new TypeError('fetch failed');
  };
  await expectWords(chat, ['before the wipe'], all.use(await signIn(cluster, alice, { token: phone.token, onCall })));
  expect(tries).toBe(3);
});

test('a backup that the vault does not name is not used', async () => {
  const { alice, bob, chat } = await addFriends(cluster);
  await using all = new Browsers();
  const phone = all.use(await signIn(cluster, alice));
  const laptop = all.use(await signIn(cluster, bob));
  const foreign = { algorithm: 'm.megolm_backup.v1.curve25519-aes-sha2', auth_data: { public_key: 'a'.repeat(43) } };
  await cluster.call(createBackup, alice.person, foreign);
  await laptop.client.sendText({ to: alice.person.account, text: 'kept' });
  await expectWords(chat, ['kept'], phone);
  await untilEvent(phone, 'backup restored');
  await expectWords(chat, ['kept'], all.use(await signIn(cluster, alice)));
});

test('a key that was backed up before its owner was known decrypts in the next browser', async () => {
  const { alice, bob, chat } = await addFriends(cluster);
  const phone = await signIn(cluster, alice);
  let isBackupAway = true;
  // Without the dehydrated device, from which the next browser would get the key.
  const edge: TestBrowserOptions = {
    accountKey: bob.accountKey,
    program: await loadSabotagedClient(WITHOUT.dehydratedDevice),
    onCall(path) {
      if (isBackupAway && path === putBackupKeys.path) throw new TypeError('fetch failed');
    },
  };
  const laptop = await startBrowser(openBrowser(cluster, await cluster.addDevice(bob.person), edge));
  await phone.client.sendText({ to: bob.person.account, text: 'kept' });
  await expectWords(chat, ['kept'], laptop);
  await laptop.client[Symbol.asyncDispose]();
  await phone.client[Symbol.asyncDispose]();
  await cluster.call(revokeCurrentSession, { ...alice.person, token: phone.token });

  isBackupAway = false;
  await using all = new Browsers();
  all.use(await startBrowser(laptop));
  await expect
    .poll(async () => (await cluster.call(getBackup, bob.person, {})).body.count, { timeout: 60_000 })
    .toBe(1);
  const tablet = openBrowser(cluster, await cluster.addDevice(bob.person), edge);
  await expectWords(chat, ['kept'], all.use(await startBrowser(tablet)));
});

test('a new browser does not wait for a key that only the socket delivers', async () => {
  const { alice, bob, chat } = await addFriends(cluster);
  await using all = new Browsers();
  const phone = all.use(await signIn(cluster, alice));
  let isSilent = true;
  const edge: TestBrowserOptions = {
    accountKey: bob.accountKey,
    // Without the dehydrated device, which would have the key too.
    program: await loadSabotagedClient(WITHOUT.dehydratedDevice),
    onFrame: (text, pass) => (isSilent ? undefined : pass(text)),
  };
  const laptop = await startBrowser(openBrowser(cluster, await cluster.addDevice(bob.person), edge));
  await laptop.client[Symbol.asyncDispose]();
  await phone.client.sendText({ to: bob.person.account, text: 'hello' });
  await until(phone.client.live.timeline(chat, 9), ([one]) => one?.status === 'sent');

  isSilent = false;
  const { clock } = laptop.deps();
  // The timeout for the list never fires.
  const sleep: typeof clock.sleep = (ms, signal) => clock.sleep(ms === 3_000 ? 2 ** 31 - 1 : ms, signal);
  const client = laptop.start(0, { clock: { ...clock, sleep } });
  await expectWords(chat, ['hello'], all.use(Object.assign(laptop, { client })));
});

test('leaked keys are replaced, even if the browser that began it crashes', async () => {
  const { alice, bob, chat } = await addFriends(cluster);
  await using all = new Browsers();
  const laptop = all.use(await signIn(cluster, bob));
  {
    await using phone = new Browsers();
    const { client } = phone.use(await signIn(cluster, alice));
    await laptop.client.sendText({ to: alice.person.account, text: 'kept' });
    await until(client.live.timeline(chat, 9), ([one]) => one?.shows.state === 'content');
    await expect.poll(async () => (await cluster.call(getBackup, alice.person, {})).body.count).toBe(1);
  }
  const { version } = (await cluster.call(getBackup, alice.person, {})).body;
  await markLeaked(alice);
  // The browser crashes right after it has named the new backup, which is still empty, and its disk is lost.
  const died = Promise.withResolvers<void>();
  const first = openBrowser(cluster, await cluster.addDevice(alice.person), {
    accountKey: alice.accountKey,
    onCall: (path) => path === putVault.path && died.resolve(),
    losesAnswer: (path) => path === putVault.path,
  });
  const dying = first.start();
  await died.promise;
  first.cut();
  await dying[Symbol.asyncDispose]();
  // The next browser cannot query the sender's devices, and keeps the owner that the old backup named.
  const onCall = (path: string, body: unknown): void => {
    if (path.startsWith('/api/keys/') && String(body).includes(bob.person.account)) throw new TypeError('fetch failed');
  };
  await expectWords(chat, ['kept'], all.use(await signIn(cluster, alice, { onCall })));
  await expect.poll(async () => (await cluster.call(getBackup, alice.person, { version })).status).toBe(404);
  await expectWords(chat, ['kept'], all.use(await signIn(cluster, alice)));
});

/** Marks the keys as leaked, as the change of a compromised password does, but keeps the account key. */
async function markLeaked({ person, accountKey }: Owner): Promise<void> {
  const call: VaultDeps['call'] = async (endpoint, body) => (await cluster.call(endpoint, person, body)).body;
  const deps = { account: person.account, call, random: (size: number) => new Uint8Array(randomBytes(size)) };
  const reading = await readVault(deps, 'secrets', accountKey);
  if (reading.state !== 'open') throw new Error(`the vault is ${reading.state}`);
  const secrets = JSON.parse(new TextDecoder().decode(reading.plain)) as object;
  const plain = new TextEncoder().encode(JSON.stringify({ ...secrets, isLeaked: true }));
  await writeVault(deps, 'secrets', accountKey, { rev: reading.rev, plain });
}

function bodyOf(entry: { kind: string; body?: string | undefined }): Buffer {
  return Buffer.from(entry.body ?? '', 'base64url');
}

/** Alice and Bob with one browser each: Alice has sent `before`, and Bob has read it. */
async function startChat(all: Browsers) {
  const friends = await addFriends(cluster);
  const phone = all.use(await signIn(cluster, friends.alice));
  const laptop = all.use(await signIn(cluster, friends.bob));
  await phone.client.sendText({ to: friends.bob.person.account, text: 'before' });
  await expectWords(friends.chat, ['before'], laptop);
  return { ...friends, phone, laptop };
}

class Browsers {
  readonly #all: SealedBrowser[] = [];

  use(browser: SealedBrowser): SealedBrowser {
    this.#all.push(browser);
    return browser;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { client } of this.#all) await client[Symbol.asyncDispose]();
  }
}
