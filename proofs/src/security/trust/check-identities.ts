/** The server names other keys for a contact, before and after verification, to present and to new browsers. */
import { createHash } from 'node:crypto';
import type { Owner, SealedBrowser } from '@dostar/client/testing/owners';
import { claimKeys } from '@dostar/protocol/contract/device-keys';
import type { ChatId } from '@dostar/protocol/ids';
import { show, type Trial } from '../../harness/trial/trial.ts';
import { putKeysBack, swapIdentity, takeKeys } from './lies.ts';
import { close, identity, listStored, meet, MET, type Pair, verify } from './people.ts';

const SECRET = 'my secret';

export async function checkSwapOldBrowsers(trial: Trial): Promise<void> {
  const pair = await meet(trial);
  const mallory = await swap(trial, pair);
  for (const browser of pair.hers) await refusesToSeal(trial, browser, pair, 'changed');
  await stayClosed(trial, mallory, pair.chat);
}

export async function checkSwapNewBrowser(trial: Trial): Promise<void> {
  const pair = await meet(trial);
  await close(pair.hers);
  const mallory = await swap(trial, pair);
  await refusesToSeal(trial, await trial.signIn(pair.alice), pair, 'changed');
  await stayClosed(trial, mallory, pair.chat);
}

export async function checkSwapVerified(trial: Trial): Promise<void> {
  const pair = await meet(trial);
  await verify(trial, pair);
  const mallory = await swap(trial, pair);
  for (const browser of pair.hers) await refusesToSeal(trial, browser, pair, 'withdrawn');
  await refusesToSeal(trial, await trial.signIn(pair.alice), pair, 'withdrawn');
  await stayClosed(trial, mallory, pair.chat);
}

/** An invite named the fingerprint of his keys before the server named any. */
export async function checkInvite(trial: Trial): Promise<void> {
  const { alice, bob, chat } = await trial.addFriends();
  const phone = await trial.signIn(alice);
  const laptop = await trial.signIn(bob);
  const genuine = await laptop.client.keys.masterKeyOf(bob.person.account);
  await close([laptop]);
  await phone.client.keys.pinIdentity(bob.person.account, fingerprintOf(genuine!));
  await listStored(trial, alice);
  await close([phone]);
  const mallory = await swapIdentity(trial, bob);
  const desktop = await trial.signIn(alice);
  await refusesToSeal(trial, desktop, { bob, chat }, 'changed');
  await stayClosed(trial, mallory, chat);
}

/** The server delays its answer to a key claim, and names another identity meanwhile. */
export async function checkSlipIn(trial: Trial): Promise<void> {
  const { alice, bob, chat } = await trial.addFriends();
  const laptop = await trial.signIn(bob);
  let mallory: SealedBrowser | undefined;
  let isSealing = false;
  const phone = await trial.signIn(alice, {
    async onCall(path) {
      if (!isSealing || mallory !== undefined || path !== claimKeys.path) return;
      isSealing = false;
      await close([laptop]);
      mallory = await swapIdentity(trial, bob);
      await phone.keyRing!.refreshDevices([bob.person.account]);
    },
  });
  await phone.keyRing!.refreshDevices([bob.person.account]);
  await trial.ready('he is known', async () => (await identity(phone, bob)) === 'known');
  isSealing = true;
  await phone.client.sendText({ to: bob.person.account, text: SECRET });
  await trial.becomes('it is refused', async () => (await show(phone, chat)).at(-1)?.error === 'identity_changed');
  trial.holds('the server had its chance', mallory !== undefined);
  await stayClosed(trial, mallory!, chat);
}

export async function checkHeld(trial: Trial): Promise<void> {
  const pair = await meet(trial);
  const { alice, bob, chat, hers } = pair;
  const mallory = await swap(trial, pair);
  await mallory.client.sendText({ to: alice.person.account, text: 'send the money here' });
  for (const browser of hers) await held(trial, browser, chat);
  // Accepting the identity in one browser shows the message in all.
  await hers[0]!.client.keys.acceptIdentity(bob.person.account);
  await trial.read(chat, [...MET, 'send the money here'], ...hers);
}

/** The server names other keys, delivers one message from them, and restores the genuine keys. */
export async function checkSwappedBack(trial: Trial): Promise<void> {
  const pair = await meet(trial);
  const { alice, bob, chat, hers, his } = pair;
  await close(his);
  const genuine = await takeKeys(trial, bob.person.account);
  const mallory = await swapIdentity(trial, bob);
  await mallory.client.sendText({ to: alice.person.account, text: 'send the money here' });
  for (const browser of hers) {
    const hasCome = async () => (await countHeld(browser)) > 0 || (await show(browser, chat)).length > MET.length;
    await trial.ready('it came', hasCome);
  }
  await close([mallory]);
  await putKeysBack(trial, bob.person.account, genuine);
  for (const browser of hers) {
    await browser.keyRing!.refreshDevices([bob.person.account]);
    await held(trial, browser, chat);
  }
}

async function swap(trial: Trial, { bob, his }: Pair): Promise<SealedBrowser> {
  await close(his);
  return swapIdentity(trial, bob);
}

/** The browser reports the changed identity, and a message to him stays in the outbox. */
async function refusesToSeal(
  trial: Trial,
  browser: SealedBrowser,
  { bob, chat }: { bob: Owner; chat: ChatId },
  expected: 'changed' | 'withdrawn',
): Promise<void> {
  await browser.client.sendText({ to: bob.person.account, text: SECRET });
  const last = async () => (await show(browser, chat)).findLast(({ status }) => status !== 'sent')?.error;
  await trial.becomes('nothing is sealed for other keys', async () => (await last()) === 'identity_changed');
  await trial.becomes(`the screen says ${expected}`, async () => (await identity(browser, bob)) === expected);
}

/** The message arrived and is held, not shown. */
async function held(trial: Trial, browser: SealedBrowser, chat: ChatId): Promise<void> {
  const isShown = async () => (await show(browser, chat)).length > MET.length;
  await trial.ready('it came', async () => (await isShown()) || (await countHeld(browser)) > 0);
  await trial.stays('nothing of it is shown', async () => !(await isShown()));
}

async function countHeld({ client }: SealedBrowser): Promise<number> {
  return (await client.keys.counts()).waiting.identity;
}

async function stayClosed(trial: Trial, browser: SealedBrowser, chat: ChatId): Promise<void> {
  await trial.stays('the swapped identity reads none of it', async () =>
    (await show(browser, chat)).every(({ shows }) => !JSON.stringify(shows).includes(SECRET)),
  );
}

function fingerprintOf(key: string): string {
  return createHash('sha256').update(Buffer.from(key, 'base64')).digest().subarray(0, 16).toString('base64url');
}
