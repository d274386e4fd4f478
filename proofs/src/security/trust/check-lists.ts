/** The server gives a browser an older trust list of its account, or none. */
import type { Trial } from '../../harness/trial/trial.ts';
import { putKeysBack, readTrust, swapIdentity, takeKeys, writeTrust } from './lies.ts';
import { close, identity, listStored, meet, MET, type Pair } from './people.ts';

/** The server says that there is no list, and names other keys for the contact. */
export async function checkWithheld(trial: Trial): Promise<void> {
  const pair = await meet(trial);
  await writeOnce(trial, pair);
  await close([...pair.hers, ...pair.his]);
  await writeTrust(trial, pair.alice.person.account, undefined);
  await swapIdentity(trial, pair.bob);
  await doubts(trial, pair);
}

/** The server returns the list from before she accepted his new keys, and his old keys, which a thief may have. */
export async function checkRolledBack(trial: Trial): Promise<void> {
  const pair = await meet(trial);
  const { alice, bob, hers, his } = pair;
  const before = await readTrust(trial, alice.person.account);
  const oldKeys = await takeKeys(trial, bob.person.account);
  await putKeysBack(trial, bob.person.account, oldKeys);
  await renew(trial, pair);
  await hers[0]!.client.sendText({ to: bob.person.account, text: 'see you' });
  await trial.readFirst(pair.chat, [...MET, 'see you'], ...hers);
  await close([...hers, ...his]);
  await writeTrust(trial, alice.person.account, before);
  await putKeysBack(trial, bob.person.account, oldKeys);
  await doubts(trial, pair);
}

/** The server returns the list from before she accepted his new keys to a browser that has seen the newer list. */
export async function checkRolledBackOldBrowser(trial: Trial): Promise<void> {
  const pair = await meet(trial);
  const { alice, bob, hers } = pair;
  const { account } = alice.person;
  const before = await readTrust(trial, account);
  await renew(trial, pair);
  const newest = await readTrust(trial, account);
  await close(hers);
  await writeTrust(trial, account, before);
  const phone = trial.start(hers[0]!);
  const isNewest = async () => (await readTrust(trial, account))!.rev >= newest!.rev;
  await trial.becomes('the list is the newest again', isNewest);
  await trial.becomes('his keys are still trusted', async () => (await identity(phone, bob)) === 'known');
  const fresh = await trial.signIn(alice);
  await trial.becomes('also in a new browser', async () => (await identity(fresh, bob)) === 'known');
}

/** He starts fresh, and she accepts his new keys. */
async function renew(trial: Trial, { alice, bob, hers, his }: Pair): Promise<void> {
  const before = await readTrust(trial, alice.person.account);
  await close(his.slice(1));
  await his[0]!.client.keys.startFresh();
  await trial.ready('his keys are others', async () => (await identity(hers[0]!, bob)) === 'changed');
  await hers[0]!.client.keys.acceptIdentity(bob.person.account);
  await listStored(trial, alice, before!.rev + 1);
  for (const browser of hers) await trial.ready('accepted', async () => (await identity(browser, bob)) === 'known');
}

/** Her message names the trust list that her browser knew. */
async function writeOnce(trial: Trial, { bob, chat, hers, his }: Pair): Promise<void> {
  await hers[0]!.client.sendText({ to: bob.person.account, text: 'see you' });
  await trial.readFirst(chat, [...MET, 'see you'], ...hers, ...his);
}

async function doubts(trial: Trial, { alice, bob }: Pair): Promise<void> {
  const fresh = await trial.signIn(alice);
  await trial.becomes('a new browser trusts no contact', async () => (await identity(fresh, bob)) === 'changed');
}
