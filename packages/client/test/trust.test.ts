/**
 * A server that lies about the identity of contacts, to browsers old and new.
 *
 * @module-tag gate: Each lie starts whole clients.
 */
import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createKeyServer, type KeyServer } from './fake-key-server.ts';
import {
  type Browser,
  type BrowserOptions,
  makeOwner,
  openBrowser,
  type Owner,
  settleAll,
  untilOpen,
  verify,
  wordsOf,
} from './key-ring-browsers.ts';

test.each([true, false])('a new browser does not believe a swapped identity of a contact: %s', async (sharedTrust) => {
  await using world = await setUp(sharedTrust ? [] : ['sharedTrust']);
  const { server, alice, bob, phone, laptop } = world;
  await meet(phone, laptop);
  await using mallory = await swap(server, bob);
  await using fresh = await openBrowser(server, alice, { without: sharedTrust ? [] : ['sharedTrust'] });
  await fresh.settle();
  const sent = fresh.say(bob.account, 'my secret');
  if (sharedTrust) {
    await expect(sent).rejects.toMatchObject({ code: 'identity_changed' });
    expect(await fresh.keyRing.identityOf(bob.account)).toBe('changed');
  } else {
    await mallory.settle();
    expect(wordsOf(await untilOpen(mallory, await sent))).toBe('my secret');
  }
});

test('a new browser knows that a contact was verified, and that their keys have changed', async () => {
  await using world = await setUp();
  const { server, alice, bob, phone, laptop } = world;
  await meet(phone, laptop);
  await verify(phone, laptop);
  await expect.poll(async () => (await settleAll(phone), server.account(alice.account).trust?.rev)).toBeGreaterThan(1);
  await using honest = await openBrowser(server, alice);
  await settleAll(honest);
  await honest.keyRing.refreshDevices([bob.account]);
  expect(await honest.keyRing.identityOf(bob.account)).toBe('verified');
  await using _mallory = await swap(server, bob);
  await using fresh = await openBrowser(server, alice);
  await expect(fresh.say(bob.account, 'my secret')).rejects.toMatchObject({ code: 'identity_changed' });
  expect(await fresh.keyRing.identityOf(bob.account)).toBe('withdrawn');
});

test.each([true, false])('messages of a swapped identity are held until it is accepted: %s', async (heldMessages) => {
  await using world = await setUp(heldMessages ? [] : ['heldMessages']);
  const { server, alice, bob, phone, laptop } = world;
  await meet(phone, laptop);
  await using mallory = await swap(server, bob);
  await settleAll(phone, mallory);
  const forged = await mallory.say(alice.account, 'send the money here');
  await phone.settle();
  if (!heldMessages) {
    expect(wordsOf(await untilOpen(phone, forged))).toBe('send the money here');
    return;
  }
  await expect
    .poll(async () => (await settleAll(phone), phone.read(forged)))
    .toEqual({ state: 'waiting', reason: 'identity' });
  await phone.keyRing.acceptIdentity(bob.account);
  expect(wordsOf(await untilOpen(phone, forged))).toBe('send the money here');
});

test('no message of an identity that was swapped and swapped back is shown', async () => {
  await using world = await setUp();
  const { server, alice, bob, phone, laptop } = world;
  await meet(phone, laptop);
  const state = server.account(bob.account);
  const genuine = structuredClone({ devices: state.devices, signing: state.signing });
  await using mallory = await swap(server, bob);
  await settleAll(phone, mallory);
  const forged = await mallory.say(alice.account, 'send the money here');
  await phone.settle();
  Object.assign(state, genuine);
  await phone.keyRing.refreshDevices([bob.account]);
  expect(await phone.keyRing.identityOf(bob.account)).toBe('known');
  await expect
    .poll(async () => (await settleAll(phone), phone.read(forged)))
    .toEqual({ state: 'waiting', reason: 'identity' });
});

test('an identity that is accepted in one browser is accepted in the others', async () => {
  await using world = await setUp();
  const { server, alice, bob, phone, laptop } = world;
  await meet(phone, laptop);
  await using tablet = await openBrowser(server, alice);
  await using renewed = await swap(server, bob);
  await settleAll(renewed, phone, tablet);
  const message = await renewed.say(alice.account, 'it is me');
  await settleAll(phone, tablet);
  for (const one of [phone, tablet]) {
    await expect
      .poll(async () => (await settleAll(one), one.read(message)))
      .toEqual({ state: 'waiting', reason: 'identity' });
  }
  await phone.keyRing.acceptIdentity(bob.account);
  expect(wordsOf(await untilOpen(tablet, message))).toBe('it is me');
  expect(await tablet.keyRing.identityOf(bob.account)).toBe('known');
});

test.each([true, false])('every browser compares a contact’s keys with the invite: %s', async (isSame) => {
  await using world = await setUp();
  const { server, alice, bob, phone } = world;
  const genuine = await world.laptop.keyRing.masterKeyOf(bob.account);
  await phone.keyRing.pinIdentity(bob.account, isSame ? fingerprintOf(genuine!) : 'another-fingerprint-xx');
  await phone.keyRing.refreshDevices([bob.account]);
  await expect.poll(async () => (await settleAll(phone), server.account(alice.account).trust?.rev)).toBeGreaterThan(0);
  await using fresh = await openBrowser(server, alice);
  for (const one of [phone, fresh]) {
    await one.keyRing.refreshDevices([bob.account]);
    expect(await one.keyRing.identityOf(bob.account)).toBe(isSame ? 'invited' : 'changed');
  }
});

test.each([true, false])('an older trust list is noticed at the next own message: %s', async (trustMark) => {
  await using world = await setUp(trustMark ? [] : ['trustMark']);
  const { server, alice, bob, phone, laptop } = world;
  const state = server.account(alice.account);
  await meet(phone, laptop);
  await expect.poll(async () => (await settleAll(phone), state.trust?.rev)).toBeGreaterThan(0);
  const own = await phone.say(bob.account, 'to bob');
  // The server deletes the list and shows forged keys of Bob to the new browser.
  server.onAnswer = (path, reply) =>
    path === '/api/vault/get' && isTrust(reply, state) ? { rev: 0, blob: null } : reply;
  await using _mallory = await swap(server, bob);
  await using fresh = await openBrowser(server, alice, { without: trustMark ? [] : ['trustMark'] });
  await fresh.keyRing.refreshDevices([bob.account]);
  expect(await fresh.keyRing.identityOf(bob.account)).toBe('known');
  expect(wordsOf(await untilOpen(fresh, own))).toBe('to bob');
  if (!trustMark) return;
  await expect.poll(async () => (await settleAll(fresh), fresh.keyRing.identityOf(bob.account))).toBe('changed');
  await expect(fresh.say(bob.account, 'my secret')).rejects.toMatchObject({ code: 'identity_changed' });
});

test('a browser that has seen a newer trust list replaces an older one', async () => {
  await using world = await setUp();
  const { server, alice, phone, laptop } = world;
  const state = server.account(alice.account);
  await meet(phone, laptop);
  await expect.poll(async () => (await settleAll(phone), state.trust?.rev)).toBeGreaterThan(0);
  const before = state.trust!.rev;
  delete state.trust;
  phone.keyRing.nudge();
  await expect.poll(async () => (await settleAll(phone), state.trust?.rev ?? 0)).toBeGreaterThanOrEqual(before);
  expect(phone.logs).toContain('trust list not the newest');
});

test.each([true, false])('no identity slips in between the check and the key: %s', async (oneStep) => {
  const server = createKeyServer();
  const [alice, bob] = [makeOwner(), makeOwner()];
  await using _laptop = await openBrowser(server, bob);
  const session = server.connect(alice.account);
  const ask = session.fetch;
  let mallory: Browser | undefined;
  // The server delays its answer to the claim and meanwhile names another identity for Bob.
  session.fetch = async (input, init) => {
    if (isSealing && mallory === undefined && new URL(input as string).pathname === '/api/keys/claim') {
      mallory = await swap(server, bob);
      await phone.keyRing.refreshDevices([bob.account]);
    }
    return ask(input, init);
  };
  let isSealing = false;
  await using phone = await openBrowser(server, alice, { session, without: oneStep ? [] : ['oneStep'] });
  await phone.keyRing.refreshDevices([bob.account]);
  isSealing = true;
  const sealing = phone.say(bob.account, 'secret');
  if (oneStep) await expect(sealing).rejects.toMatchObject({ code: 'identity_changed' });
  else await sealing;
  expect(mallory).toBeDefined();
  await mallory?.[Symbol.asyncDispose]();
});

function fingerprintOf(key: string): string {
  return createHash('sha256').update(Buffer.from(key, 'base64')).digest().subarray(0, 16).toString('base64url');
}

function isTrust(reply: Record<string, unknown>, state: { trust?: { blob: string } }): boolean {
  return reply['blob'] === state.trust?.blob;
}

/** Replaces a person's account key, vault, identity and device by forged ones. */
async function swap(server: KeyServer, { account }: Owner): Promise<Browser> {
  const state = server.account(account);
  for (const device of state.devices.keys()) server.remove(account, device);
  state.former.clear();
  state.signing = {};
  state.backups = [];
  delete state.dehydrated;
  delete state.vault;
  delete state.trust;
  return openBrowser(server, { account, key: new Uint8Array(randomBytes(32)) });
}

async function meet(one: Browser, other: Browser): Promise<void> {
  const hello = await other.say(one.session.account, 'hello');
  await one.settle();
  await untilOpen(one, hello);
  const back = await one.say(other.session.account, 'hello');
  await other.settle();
  await untilOpen(other, back);
}

interface World extends AsyncDisposable {
  server: KeyServer;
  alice: Owner;
  bob: Owner;
  phone: Browser;
  laptop: Browser;
}

async function setUp(without: BrowserOptions['without'] = []): Promise<World> {
  const server = createKeyServer();
  const [alice, bob] = [makeOwner(), makeOwner()];
  const phone = await openBrowser(server, alice, { without });
  const laptop = await openBrowser(server, bob);
  await settleAll(phone, laptop);
  return {
    server,
    alice,
    bob,
    phone,
    laptop,
    async [Symbol.asyncDispose]() {
      await phone[Symbol.asyncDispose]();
      await laptop[Symbol.asyncDispose]();
    },
  };
}
