/** The server names other keys for a contact, before and after verification, to present and to new browsers. */
import { createHash } from 'node:crypto';
import type { Owner, SealedBrowser } from '@dostar/client/testing/owners';
import { claimKeys } from '@dostar/protocol/contract/device-keys';
import type { ChatId } from '@dostar/protocol/ids';
import { show, type CheckRun } from '../../harness/checks/check-run.ts';
import { putKeysBack, swapIdentity, takeKeys } from './lies.ts';
import { close, identity, listStored, meet, MET, type Pair, verify } from './pairs.ts';

const SECRET = 'my secret';

export async function checkSwapOldBrowsers(checkRun: CheckRun): Promise<void> {
  const pair = await meet(checkRun);
  const mallory = await swap(checkRun, pair);
  for (const browser of pair.hers) await refusesToSeal(checkRun, browser, pair, 'changed');
  await stayClosed(checkRun, mallory, pair.chat);
}

export async function checkSwapNewBrowser(checkRun: CheckRun): Promise<void> {
  const pair = await meet(checkRun);
  await close(pair.hers);
  const mallory = await swap(checkRun, pair);
  await refusesToSeal(checkRun, await checkRun.signIn(pair.alice), pair, 'changed');
  await stayClosed(checkRun, mallory, pair.chat);
}

export async function checkSwapVerified(checkRun: CheckRun): Promise<void> {
  const pair = await meet(checkRun);
  await verify(checkRun, pair);
  const mallory = await swap(checkRun, pair);
  for (const browser of pair.hers) await refusesToSeal(checkRun, browser, pair, 'withdrawn');
  await refusesToSeal(checkRun, await checkRun.signIn(pair.alice), pair, 'withdrawn');
  await stayClosed(checkRun, mallory, pair.chat);
}

/** An invite named the fingerprint of his keys before the server named any keys. */
export async function checkInvite(checkRun: CheckRun): Promise<void> {
  const { alice, bob, chat } = await checkRun.addFriends();
  const phone = await checkRun.signIn(alice);
  const laptop = await checkRun.signIn(bob);
  const genuine = await laptop.client.keys.masterKeyOf(bob.person.account);
  await close([laptop]);
  await phone.client.keys.pinIdentity(bob.person.account, fingerprintOf(genuine!));
  await listStored(checkRun, alice);
  await close([phone]);
  const mallory = await swapIdentity(checkRun, bob);
  const desktop = await checkRun.signIn(alice);
  await refusesToSeal(checkRun, desktop, { bob, chat }, 'changed');
  await stayClosed(checkRun, mallory, chat);
}

/** The server delays its answer to a key claim and meanwhile names another identity. */
export async function checkSlipIn(checkRun: CheckRun): Promise<void> {
  const { alice, bob, chat } = await checkRun.addFriends();
  const laptop = await checkRun.signIn(bob);
  let mallory: SealedBrowser | undefined;
  let isSealing = false;
  const phone = await checkRun.signIn(alice, {
    async onCall(path) {
      if (!isSealing || mallory !== undefined || path !== claimKeys.path) return;
      isSealing = false;
      await close([laptop]);
      mallory = await swapIdentity(checkRun, bob);
      await phone.keyRing!.refreshDevices([bob.person.account]);
    },
  });
  await phone.keyRing!.refreshDevices([bob.person.account]);
  await checkRun.ready('he is known', async () => (await identity(phone, bob)) === 'known');
  isSealing = true;
  await phone.client.sendText({ to: bob.person.account, text: SECRET });
  await checkRun.becomes('it is refused', async () => (await show(phone, chat)).at(-1)?.error === 'identity_changed');
  checkRun.holds('the server had its chance', mallory !== undefined);
  await stayClosed(checkRun, mallory!, chat);
}

export async function checkHeld(checkRun: CheckRun): Promise<void> {
  const pair = await meet(checkRun);
  const { alice, bob, chat, hers } = pair;
  const mallory = await swap(checkRun, pair);
  await mallory.client.sendText({ to: alice.person.account, text: 'send the money here' });
  for (const browser of hers) await held(checkRun, browser, chat);
  // Accepting the identity in one browser shows the message in all her browsers.
  await hers[0]!.client.keys.acceptIdentity(bob.person.account);
  await checkRun.read(chat, [...MET, 'send the money here'], ...hers);
}

/** The server names other keys, delivers one message from them, and restores the genuine keys. */
export async function checkSwappedBack(checkRun: CheckRun): Promise<void> {
  const pair = await meet(checkRun);
  const { alice, bob, chat, hers, his } = pair;
  await close(his);
  const genuine = await takeKeys(checkRun, bob.person.account);
  const mallory = await swapIdentity(checkRun, bob);
  await mallory.client.sendText({ to: alice.person.account, text: 'send the money here' });
  for (const browser of hers) {
    const hasCome = async () => (await countHeld(browser)) > 0 || (await show(browser, chat)).length > MET.length;
    await checkRun.ready('it came', hasCome);
  }
  await close([mallory]);
  await putKeysBack(checkRun, bob.person.account, genuine);
  for (const browser of hers) {
    await browser.keyRing!.refreshDevices([bob.person.account]);
    await held(checkRun, browser, chat);
  }
}

async function swap(checkRun: CheckRun, { bob, his }: Pair): Promise<SealedBrowser> {
  await close(his);
  return swapIdentity(checkRun, bob);
}

/** The browser reports the changed identity, and a message to the contact stays in the outbox. */
async function refusesToSeal(
  checkRun: CheckRun,
  browser: SealedBrowser,
  { bob, chat }: { bob: Owner; chat: ChatId },
  expected: 'changed' | 'withdrawn',
): Promise<void> {
  await browser.client.sendText({ to: bob.person.account, text: SECRET });
  const last = async () => (await show(browser, chat)).findLast(({ status }) => status !== 'sent')?.error;
  await checkRun.becomes('nothing is encrypted for other keys', async () => (await last()) === 'identity_changed');
  await checkRun.becomes(`the screen says ${expected}`, async () => (await identity(browser, bob)) === expected);
}

/** The message has arrived and is not shown. */
async function held(checkRun: CheckRun, browser: SealedBrowser, chat: ChatId): Promise<void> {
  const isShown = async () => (await show(browser, chat)).length > MET.length;
  await checkRun.ready('it came', async () => (await isShown()) || (await countHeld(browser)) > 0);
  await checkRun.stays('nothing of it is shown', async () => !(await isShown()));
}

async function countHeld({ client }: SealedBrowser): Promise<number> {
  return (await client.keys.counts()).waiting.identity;
}

async function stayClosed(checkRun: CheckRun, browser: SealedBrowser, chat: ChatId): Promise<void> {
  await checkRun.stays('the swapped identity reads none of it', async () =>
    (await show(browser, chat)).every(({ shows }) => !JSON.stringify(shows).includes(SECRET)),
  );
}

function fingerprintOf(key: string): string {
  return createHash('sha256').update(Buffer.from(key, 'base64')).digest().subarray(0, 16).toString('base64url');
}
