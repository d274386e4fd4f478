/** @module-tag gate: Each test starts whole clients: a quarter of a minute. */
import type { KeyRing } from '@dostar/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createKeyServer } from './fake-key-server.ts';
import { makeOwner, openBrowser, settleAll, settleUntilPhase, settleUntilVerified } from './key-ring-browsers.ts';

test('two people who see the same emoji are verified, on whichever device the other one answers', async () => {
  const { alice, bob, phone, laptop, tablet } = await setUp();
  const id = await phone.keyRing.requestVerification(bob.account);
  await settleAll(laptop, tablet);
  const asked = await findVerification(tablet.keyRing);
  expect(asked).toMatchObject({ account: alice.account, phase: 'asked', weStarted: false });

  await tablet.keyRing.acceptVerification(asked.id);
  await settleAll(phone, laptop, tablet);
  expect(await findVerification(laptop.keyRing)).toMatchObject({ phase: 'cancelled' });
  await phone.keyRing.startEmoji(id);
  await settleUntilPhase('comparing', tablet, phone);

  const [mine, theirs] = [await findVerification(phone.keyRing), await findVerification(tablet.keyRing)];
  expect(mine.phase).toBe('comparing');
  expect(mine.emoji).toHaveLength(7);
  expect(theirs.emoji).toEqual(mine.emoji);
  await phone.keyRing.confirmVerification(id);
  await tablet.keyRing.confirmVerification(theirs.id);
  await settleUntilPhase('done', tablet, phone);
  await settleUntilVerified(phone, bob.account);
  await settleUntilVerified(laptop, alice.account);
});

test('a subscriber sees the emoji on both sides, without asking again', async () => {
  const { bob, phone, laptop } = await setUp();
  const [mine, theirs] = [followPhases(phone.keyRing), followPhases(laptop.keyRing)];
  const id = await phone.keyRing.requestVerification(bob.account);
  await settleAll(laptop);
  await laptop.keyRing.acceptVerification((await findVerification(laptop.keyRing)).id);
  await settleAll(phone, laptop);
  await phone.keyRing.startEmoji(id);
  await settleUntilPhase('comparing', laptop, phone);
  await vi.waitFor(() => expect([mine.at(-1), theirs.at(-1)]).toEqual(['comparing', 'comparing']), 60_000);
});

/** The phases that a screen would show if it reads only after notifications. */
function followPhases(keyRing: KeyRing): string[] {
  const seen: string[] = [];
  onTestFinished(
    keyRing.onChange(() => void keyRing.listVerifications().then(([one]) => one !== undefined && seen.push(one.phase))),
  );
  return seen;
}

test('a scanned code verifies both', async () => {
  const { alice, bob, phone, laptop } = await setUp();
  const id = await phone.keyRing.requestVerification(bob.account);
  await settleAll(laptop);
  const { id: theirs } = await findVerification(laptop.keyRing);
  await laptop.keyRing.acceptVerification(theirs);
  await settleAll(phone, laptop);
  const { code, phase } = await findVerification(laptop.keyRing);
  expect(phase).toBe('ready');

  await phone.keyRing.scanCode(id, code!);
  await settleAll(laptop);
  expect(await findVerification(laptop.keyRing)).toMatchObject({ phase: 'scanned' });
  await laptop.keyRing.confirmVerification(theirs);
  await settleUntilPhase('done', phone, laptop);
  await settleUntilVerified(phone, bob.account);
  await settleUntilVerified(laptop, alice.account);
});

test('one side may cancel a verification', async () => {
  const { bob, phone, laptop } = await setUp();
  const id = await phone.keyRing.requestVerification(bob.account);
  await settleAll(laptop);
  await phone.keyRing.cancelVerification(id);
  await settleAll(laptop);
  expect(await findVerification(laptop.keyRing)).toMatchObject({ phase: 'cancelled' });
});

test('own devices compare emoji too', async () => {
  const { bob, laptop, tablet } = await setUp();
  const id = await laptop.keyRing.requestVerification(bob.account);
  await settleAll(tablet);
  const { id: theirs } = await findVerification(tablet.keyRing);
  await tablet.keyRing.acceptVerification(theirs);
  await settleAll(laptop);
  await laptop.keyRing.startEmoji(id);
  await settleUntilPhase('comparing', tablet, laptop);
  const shown = await findVerification(laptop.keyRing);
  expect(shown.emoji).toHaveLength(7);
  expect((await findVerification(tablet.keyRing)).emoji).toEqual(shown.emoji);
});

test('a device that signed in a moment ago is asked too', async () => {
  const server = createKeyServer();
  const bob = makeOwner();
  await using laptop = await openBrowser(server, bob);
  await settleAll(laptop);
  await using tablet = await openBrowser(server, bob);
  await settleAll(tablet);
  const id = await laptop.keyRing.requestVerification(bob.account);
  await settleAll(tablet);
  const { id: theirs } = await findVerification(tablet.keyRing);
  await tablet.keyRing.acceptVerification(theirs);
  await settleAll(laptop);
  await laptop.keyRing.startEmoji(id);
  await settleUntilPhase('comparing', tablet, laptop);
  expect((await findVerification(laptop.keyRing)).emoji).toHaveLength(7);
});

async function setUp() {
  const server = createKeyServer();
  const [alice, bob] = [makeOwner(), makeOwner()];
  const phone = await openBrowser(server, alice);
  const laptop = await openBrowser(server, bob);
  const tablet = await openBrowser(server, bob);
  onTestFinished(async () => {
    for (const browser of [phone, laptop, tablet]) await browser[Symbol.asyncDispose]();
  });
  await settleAll(phone, laptop, tablet);
  // They know each other's keys after the first message.
  await phone.say(bob.account, 'hello');
  await laptop.say(alice.account, 'hi');
  await tablet.say(alice.account, 'hi');
  await settleAll(phone, laptop, tablet);
  return { server, alice, bob, phone, laptop, tablet };
}

async function findVerification(keyRing: KeyRing) {
  const [found] = await keyRing.listVerifications();
  if (found === undefined) throw new Error('no verification');
  return found;
}
