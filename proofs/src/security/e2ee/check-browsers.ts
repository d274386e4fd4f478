/** Browsers that crash, are wiped, are opened twice, or hear things late. */
import { claimKeys, uploadKeys } from '@dostar/protocol/contract/device-keys';
import { revokeCurrentSession, getSession } from '@dostar/protocol/contract/sessions';
import { userOf } from '@dostar/protocol/matrix-ids';
import type { Owner, SealedBrowser } from '@dostar/client/testing/owners';
import { hasEvent, type Trial } from '../../harness/trial/trial.ts';

export async function checkTwoTabs(trial: Trial): Promise<void> {
  const { alice, bob, chat } = await trial.addFriends();
  const laptop = await trial.signIn(bob);
  const phone = trial.open({ ...alice, person: await trial.place.addDevice(alice.person) }, {});
  await phone.client[Symbol.asyncDispose]();
  const locks = trial.scene.isWithoutLocks ? undefined : navigator.locks;
  phone.keyRingCount = 0;
  phone.events.length = 0;
  const first = phone.start(0, { locks });
  await using second = phone.start(0, { locks });
  try {
    await trial.ready('one of them is unlocked', () => hasEvent(phone, 'waiting device visited'));
    await second.sendText({ to: bob.person.account, text: 'from the second tab' });
    await trial.read(chat, ['from the second tab'], laptop);
    trial.holds('one of two tabs has the engine', phone.keyRingCount === 1, phone.keyRingCount);
  } finally {
    await first[Symbol.asyncDispose]();
  }
  await second.sendText({ to: bob.person.account, text: 'after the first has closed' });
  await trial.read(chat, ['from the second tab', 'after the first has closed'], laptop);
  trial.holds('the other takes it over', phone.keyRingCount === 2, phone.keyRingCount);
}

/**
 * The server has the keys, and the browser dies before it hears so. Uploads that were taken are counted, not calls: a
 * browser that dies before its keys have left it repeats nothing, and without its defence this would not be noticed.
 */
export async function checkCrash(trial: Trial): Promise<void> {
  const { alice, bob, chat } = await trial.addFriends();
  const laptop = await trial.signIn(bob);
  let isDying = false;
  let taken = 0;
  const phone = await trial.signIn(alice, {
    losesAnswer: (path) => isDying && path === uploadKeys.path,
    onAnswer: (path, { ok }) => (taken += Number(ok && path === uploadKeys.path)),
  });
  taken = 0;
  isDying = true;
  await claim(trial, bob, alice, phone, 20);
  await trial.ready('it uploads more keys', () => taken > 0);
  await phone.client[Symbol.asyncDispose]();
  isDying = false;
  taken = 0;
  const reborn = trial.start(phone);
  await laptop.client.sendText({ to: alice.person.account, text: 'are you back?' });
  await trial.read(chat, ['are you back?'], reborn);
  await trial.ready('it has uploaded them again', () => taken > 0);
  await trial.ready('and gone on', () => hasEvent(reborn, 'device unlocked'));
  trial.holds('it goes on as the same device', !hasEvent(reborn, 'device renewed'));
}

export async function checkWiped(trial: Trial): Promise<void> {
  const { alice, bob, chat } = await trial.addFriends();
  const [phone, laptop] = [await trial.signIn(alice), await trial.signIn(bob)];
  await phone.client.sendText({ to: bob.person.account, text: 'before' });
  await trial.readFirst(chat, ['before'], laptop);
  await phone.client[Symbol.asyncDispose]();
  const wiped = trial.open({ ...alice, person: { ...alice.person, token: phone.token } });
  await trial.becomes('it is a new device', () => hasEvent(wiped, 'device renewed'));
  await trial.read(chat, ['before'], wiped);
  await laptop.client.sendText({ to: alice.person.account, text: 'after' });
  await trial.read(chat, ['before', 'after'], wiped);
}

/** The message is there, its key comes later. */
export async function checkLateKeys(trial: Trial): Promise<void> {
  const { alice, bob, chat } = await trial.addFriends();
  const phone = await trial.signIn(alice);
  const held: (() => void)[] = [];
  let isHolding = false;
  const laptop = await trial.signIn(bob, {
    onFrame(text, pass) {
      if (isHolding && isToDevice(text)) held.push(() => pass(text));
      else pass(text);
    },
  });
  isHolding = true;
  await phone.client.sendText({ to: bob.person.account, text: 'early' });
  await trial.ready('it was tried', async () => (await laptop.client.keys.counts()).waiting.key > 0);
  isHolding = false;
  for (const pass of held) pass();
  await trial.read(chat, ['early'], laptop);
}

/** The frame with the key has left the server and not arrived. */
export async function checkLostFrame(trial: Trial): Promise<void> {
  const { alice, bob, chat } = await trial.addFriends();
  const phone = await trial.signIn(alice);
  let isLosing = false;
  const laptop: SealedBrowser = await trial.signIn(bob, {
    onFrame(text, pass) {
      if (!isLosing || !isToDevice(text)) return pass(text);
      isLosing = false;
      laptop.cut();
    },
  });
  isLosing = true;
  await phone.client.sendText({ to: bob.person.account, text: 'lost at first' });
  await trial.read(chat, ['lost at first'], laptop);
}

export async function checkSignedOut(trial: Trial): Promise<void> {
  const { alice, bob, chat } = await trial.addFriends();
  const laptop = await trial.signIn(bob);
  await signOutAll(trial, alice, await trial.signIn(alice));
  await laptop.client.sendText({ to: alice.person.account, text: 'while you were away' });
  // Sealed for the device that waits for her next browser; without that one nobody could ever read it, and it stays here.
  await trial.becomes('it is sent', async () => (await trial.place.mailOf(alice.person)).length === 1);
  await trial.read(chat, ['while you were away'], await trial.signIn(alice));
}

/** Nobody of theirs is there when it is sent, and nobody of its sender's when it is read. */
export async function checkGoneSender(trial: Trial): Promise<void> {
  const { alice, bob, chat } = await trial.addFriends();
  const laptop = await trial.signIn(bob);
  await signOutAll(trial, alice, await trial.signIn(alice));
  await laptop.client.sendText({ to: alice.person.account, text: 'goodbye' });
  await trial.ready('it is sent', async () => (await trial.place.mailOf(alice.person)).length === 1);
  await signOutAll(trial, bob, laptop);
  await trial.read(chat, ['goodbye'], await trial.signIn(alice));
}

async function signOutAll(trial: Trial, { person }: Owner, browser: SealedBrowser): Promise<void> {
  await browser.client[Symbol.asyncDispose]();
  await trial.place.call(revokeCurrentSession, { ...person, token: browser.token });
  await trial.place.call(revokeCurrentSession, person);
}

/** All its keys are used up while it is away. */
export async function checkExhaustion(trial: Trial): Promise<void> {
  const { alice, bob, chat } = await trial.addFriends();
  const laptop = await trial.signIn(bob);
  await laptop.client[Symbol.asyncDispose]();
  const keys = await claim(trial, alice, bob, laptop, 60);
  trial.holds('no one-time key is given twice', new Set(keys.slice(0, 50)).size === 50);
  const phone = await trial.signIn(alice);
  await phone.client.sendText({ to: bob.person.account, text: 'by the fallback key' });
  await trial.ready('it is sent', async () => (await trial.place.mailOf(bob.person)).length === 1);
  const again = trial.start(laptop);
  await trial.read(chat, ['by the fallback key'], again);
}

/** One account takes one-time keys of a device of another's; answers what it got, in order. */
async function claim(trial: Trial, by: Owner, of: Owner, browser: SealedBrowser, count: number): Promise<string[]> {
  const { place } = trial;
  const { body: session } = await place.call(getSession, { ...of.person, token: browser.token });
  const user = userOf(of.person.account);
  const wish = { one_time_keys: { [user]: { [session.device as string]: 'signed_curve25519' as const } } };
  const got: string[] = [];
  for (let turn = 0; turn < count; turn += 1) {
    const { body } = await place.call(claimKeys, by.person, wish);
    got.push(...Object.keys(body.one_time_keys[user]?.[session.device] ?? {}));
  }
  return got;
}

function isToDevice(text: string): boolean {
  const frame = JSON.parse(text) as { t: string; events?: unknown[] };
  return frame.t === 'to_device' && (frame.events?.length ?? 0) > 0;
}
