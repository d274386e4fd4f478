/** Two people with three browsers each, who have written to each other. */
import type { Owner, SealedBrowser } from '@dostar/client/testing/owners';
import type { ChatId } from '@dostar/protocol/ids';
import type { CheckRun } from '../../harness/checks/check-run.ts';
import { readTrust } from './lies.ts';

const BROWSERS = 3;
/** The messages that `meet` sends. */
export const MET = ['hello', 'hello, Bob'];

export interface Pair {
  alice: Owner;
  bob: Owner;
  chat: ChatId;
  hers: SealedBrowser[];
  his: SealedBrowser[];
}

/** Resolves when all of Alice's browsers have read Bob's message and know his identity. */
export async function meet(checkRun: CheckRun): Promise<Pair> {
  const { alice, bob, chat } = await checkRun.addFriends();
  const [hers, his] = [await signInAll(checkRun, alice), await signInAll(checkRun, bob)];
  await his[0]!.client.sendText({ to: alice.person.account, text: 'hello' });
  await checkRun.readFirst(chat, MET.slice(0, 1), ...hers);
  await hers[0]!.client.sendText({ to: bob.person.account, text: 'hello, Bob' });
  await checkRun.readFirst(chat, MET, ...hers, ...his);
  await listStored(checkRun, alice);
  for (const browser of hers)
    await checkRun.ready('he is known', async () => (await identity(browser, bob)) === 'known');
  return { alice, bob, chat, hers, his };
}

/** Waits until the server has the trust list; without shared trust there is none. */
export async function listStored(checkRun: CheckRun, { person }: Owner, rev = 1): Promise<void> {
  if (checkRun.environment.without.includes('sharedTrust')) return;
  const isStored = async () => ((await readTrust(checkRun, person.account))?.rev ?? 0) >= rev;
  await checkRun.ready('the trust list is stored', isStored);
}

async function signInAll(checkRun: CheckRun, owner: Owner): Promise<SealedBrowser[]> {
  const browsers = [];
  for (let index = 0; index < BROWSERS; index += 1) browsers.push(await checkRun.signIn(owner));
  return browsers;
}

export async function close(browsers: readonly SealedBrowser[]): Promise<void> {
  await Promise.all(browsers.map(({ client }) => client[Symbol.asyncDispose]()));
}

/** The state of a contact's identity as the screen shows it; undefined while the browser starts. */
export function identity({ client }: SealedBrowser, { person }: Owner): Promise<string | undefined> {
  return client.keys.identityOf(person.account).catch(() => undefined);
}

/** Both compare emoji, each in their first browser. Resolves when all of Alice's browsers know the result. */
export async function verify(checkRun: CheckRun, { alice, bob, hers, his }: Pair): Promise<void> {
  const { account } = alice.person;
  const before = (await readTrust(checkRun, account))?.rev ?? 0;
  const [one, other] = [hers[0]!.client.keys, his[0]!.client.keys];
  const id = await one.requestVerification(bob.person.account);
  const asked = async () => (await other.listVerifications()).find(({ phase }) => phase === 'asked');
  await checkRun.ready('he is asked', async () => (await asked()) !== undefined);
  const theirs = (await asked())!.id;
  await other.acceptVerification(theirs);
  await checkRun.ready('he is ready', async () => (await phaseOf(one, id)) === 'ready');
  await one.startEmoji(id);
  for (const [keys, name] of [[one, id] as const, [other, theirs] as const]) {
    await checkRun.ready('emoji are shown', async () => (await phaseOf(keys, name)) === 'comparing');
    await keys.confirmVerification(name);
  }
  await listStored(checkRun, alice, before + 1);
  for (const browser of hers) {
    await browser.keyRing!.refreshDevices([bob.person.account]);
    await checkRun.ready('all of hers know it', async () => (await identity(browser, bob)) === 'verified');
  }
}

type Keys = SealedBrowser['client']['keys'];

async function phaseOf(keys: Keys, id: string): Promise<string | undefined> {
  return (await keys.listVerifications()).find((one) => one.id === id)?.phase;
}
