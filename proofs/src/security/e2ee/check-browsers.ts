/** Browsers that crash, are wiped, run in two tabs, or receive keys late. */
import { claimKeys, uploadKeys } from '@dostar/protocol/contract/device-keys';
import { revokeCurrentSession, getSession } from '@dostar/protocol/contract/sessions';
import { userOf } from '@dostar/protocol/matrix-ids';
import type { Owner, SealedBrowser } from '@dostar/client/testing/owners';
import { hasEvent, type CheckRun } from '../../harness/checks/check-run.ts';

export async function checkTwoTabs(checkRun: CheckRun): Promise<void> {
  const { alice, bob, chat } = await checkRun.addFriends();
  const laptop = await checkRun.signIn(bob);
  const phone = checkRun.open({ ...alice, person: await checkRun.cluster.addDevice(alice.person) }, {});
  await phone.client[Symbol.asyncDispose]();
  const locks = checkRun.environment.isWithoutLocks ? undefined : navigator.locks;
  phone.keyRingCount = 0;
  phone.events.length = 0;
  const first = phone.start(0, { locks });
  await using second = phone.start(0, { locks });
  try {
    await checkRun.ready('one of them is unlocked', () => hasEvent(phone, 'dehydrated device visited'));
    await second.sendText({ to: bob.person.account, text: 'from the second tab' });
    await checkRun.read(chat, ['from the second tab'], laptop);
    checkRun.holds('one of two tabs has the engine', phone.keyRingCount === 1, phone.keyRingCount);
  } finally {
    await first[Symbol.asyncDispose]();
  }
  await second.sendText({ to: bob.person.account, text: 'after the first has closed' });
  await checkRun.read(chat, ['from the second tab', 'after the first has closed'], laptop);
  checkRun.holds('the other takes it over', phone.keyRingCount === 2, phone.keyRingCount);
}

/**
 * The server stores the keys, and the browser crashes before it gets the answer. Counts accepted uploads and not calls:
 * a browser that crashes before its upload leaves repeats nothing, which would hide a missing safeguard.
 */
export async function checkCrash(checkRun: CheckRun): Promise<void> {
  const { alice, bob, chat } = await checkRun.addFriends();
  const laptop = await checkRun.signIn(bob);
  let isDying = false;
  let taken = 0;
  const phone = await checkRun.signIn(alice, {
    losesAnswer: (path) => isDying && path === uploadKeys.path,
    onAnswer: (path, { ok }) => (taken += Number(ok && path === uploadKeys.path)),
  });
  taken = 0;
  isDying = true;
  await claim(checkRun, bob, alice, phone, 20);
  await checkRun.ready('it uploads more keys', () => taken > 0);
  await phone.client[Symbol.asyncDispose]();
  isDying = false;
  taken = 0;
  const reborn = checkRun.start(phone);
  await laptop.client.sendText({ to: alice.person.account, text: 'are you back?' });
  await checkRun.read(chat, ['are you back?'], reborn);
  await checkRun.ready('it has uploaded them again', () => taken > 0);
  await checkRun.ready('it has started again', () => hasEvent(reborn, 'device unlocked'));
  checkRun.holds('it is still the same device', !hasEvent(reborn, 'device renewed'));
}

export async function checkWiped(checkRun: CheckRun): Promise<void> {
  const { alice, bob, chat } = await checkRun.addFriends();
  const [phone, laptop] = [await checkRun.signIn(alice), await checkRun.signIn(bob)];
  await phone.client.sendText({ to: bob.person.account, text: 'before' });
  await checkRun.readFirst(chat, ['before'], laptop);
  await phone.client[Symbol.asyncDispose]();
  const wiped = checkRun.open({ ...alice, person: { ...alice.person, token: phone.token } });
  await checkRun.becomes('it is a new device', () => hasEvent(wiped, 'device renewed'));
  await checkRun.read(chat, ['before'], wiped);
  await laptop.client.sendText({ to: alice.person.account, text: 'after' });
  await checkRun.read(chat, ['before', 'after'], wiped);
}

/** The message arrives before its key. */
export async function checkLateKeys(checkRun: CheckRun): Promise<void> {
  const { alice, bob, chat } = await checkRun.addFriends();
  const phone = await checkRun.signIn(alice);
  const held: (() => void)[] = [];
  let isHolding = false;
  const laptop = await checkRun.signIn(bob, {
    onFrame(text, pass) {
      if (isHolding && isToDevice(text)) held.push(() => pass(text));
      else pass(text);
    },
  });
  isHolding = true;
  await phone.client.sendText({ to: bob.person.account, text: 'early' });
  await checkRun.ready('it was tried', async () => (await laptop.client.keys.counts()).waiting.key > 0);
  isHolding = false;
  for (const pass of held) pass();
  await checkRun.read(chat, ['early'], laptop);
}

/** The server has sent the frame with the key, and the browser never receives it. */
export async function checkLostFrame(checkRun: CheckRun): Promise<void> {
  const { alice, bob, chat } = await checkRun.addFriends();
  const phone = await checkRun.signIn(alice);
  let isLosing = false;
  const laptop: SealedBrowser = await checkRun.signIn(bob, {
    onFrame(text, pass) {
      if (!isLosing || !isToDevice(text)) return pass(text);
      isLosing = false;
      laptop.cut();
    },
  });
  isLosing = true;
  await phone.client.sendText({ to: bob.person.account, text: 'lost at first' });
  await checkRun.read(chat, ['lost at first'], laptop);
}

export async function checkSignedOut(checkRun: CheckRun): Promise<void> {
  const { alice, bob, chat } = await checkRun.addFriends();
  const laptop = await checkRun.signIn(bob);
  await signOutAll(checkRun, alice, await checkRun.signIn(alice));
  await laptop.client.sendText({ to: alice.person.account, text: 'while you were away' });
  // The message is encrypted for the dehydrated device, from which her next browser gets the key.
  await checkRun.becomes('it is sent', async () => (await checkRun.cluster.listEntries(alice.person)).length === 1);
  await checkRun.read(chat, ['while you were away'], await checkRun.signIn(alice));
}

/** No browser of the recipient is online when the message is sent, and none of the sender when it is read. */
export async function checkGoneSender(checkRun: CheckRun): Promise<void> {
  const { alice, bob, chat } = await checkRun.addFriends();
  const laptop = await checkRun.signIn(bob);
  await signOutAll(checkRun, alice, await checkRun.signIn(alice));
  await laptop.client.sendText({ to: alice.person.account, text: 'goodbye' });
  await checkRun.ready('it is sent', async () => (await checkRun.cluster.listEntries(alice.person)).length === 1);
  await signOutAll(checkRun, bob, laptop);
  await checkRun.read(chat, ['goodbye'], await checkRun.signIn(alice));
}

async function signOutAll(checkRun: CheckRun, { person }: Owner, browser: SealedBrowser): Promise<void> {
  await browser.client[Symbol.asyncDispose]();
  await checkRun.cluster.call(revokeCurrentSession, { ...person, token: browser.token });
  await checkRun.cluster.call(revokeCurrentSession, person);
}

/** All one-time keys of the device are used up while it is offline. */
export async function checkExhaustion(checkRun: CheckRun): Promise<void> {
  const { alice, bob, chat } = await checkRun.addFriends();
  const laptop = await checkRun.signIn(bob);
  await laptop.client[Symbol.asyncDispose]();
  const keys = await claim(checkRun, alice, bob, laptop, 60);
  checkRun.holds('no one-time key is given twice', new Set(keys.slice(0, 50)).size === 50);
  const phone = await checkRun.signIn(alice);
  await phone.client.sendText({ to: bob.person.account, text: 'by the fallback key' });
  await checkRun.ready('it is sent', async () => (await checkRun.cluster.listEntries(bob.person)).length === 1);
  const again = checkRun.start(laptop);
  await checkRun.read(chat, ['by the fallback key'], again);
}

/** Claims one-time keys of another account's device; returns the claimed key ids in order. */
async function claim(
  checkRun: CheckRun,
  by: Owner,
  of: Owner,
  browser: SealedBrowser,
  count: number,
): Promise<string[]> {
  const { cluster } = checkRun;
  const { body: session } = await cluster.call(getSession, { ...of.person, token: browser.token });
  const user = userOf(of.person.account);
  const wanted = { one_time_keys: { [user]: { [session.device as string]: 'signed_curve25519' as const } } };
  const got: string[] = [];
  for (let turn = 0; turn < count; turn += 1) {
    const { body } = await cluster.call(claimKeys, by.person, wanted);
    got.push(...Object.keys(body.one_time_keys[user]?.[session.device] ?? {}));
  }
  return got;
}

function isToDevice(text: string): boolean {
  const frame = JSON.parse(text) as { t: string; events?: unknown[] };
  return frame.t === 'to_device' && (frame.events?.length ?? 0) > 0;
}
