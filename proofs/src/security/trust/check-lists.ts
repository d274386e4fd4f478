/** The server gives a browser an older trust list of its account, or none. */
import type { CheckRun } from '../../harness/checks/check-run.ts';
import { putKeysBack, readTrust, swapIdentity, takeKeys, writeTrust } from './lies.ts';
import { close, identity, listStored, meet, MET, type Pair } from './pairs.ts';

/** The server says that there is no list, and names other keys for the contact. */
export async function checkWithheld(checkRun: CheckRun): Promise<void> {
  const pair = await meet(checkRun);
  await writeOnce(checkRun, pair);
  await close([...pair.hers, ...pair.his]);
  await writeTrust(checkRun, pair.alice.person.account, undefined);
  await swapIdentity(checkRun, pair.bob);
  await startUntrusted(checkRun, pair);
}

/** The server returns the list from before she accepted his new keys, and his old keys, which a thief may have. */
export async function checkRolledBack(checkRun: CheckRun): Promise<void> {
  const pair = await meet(checkRun);
  const { alice, bob, hers, his } = pair;
  const before = await readTrust(checkRun, alice.person.account);
  const oldKeys = await takeKeys(checkRun, bob.person.account);
  await putKeysBack(checkRun, bob.person.account, oldKeys);
  await renew(checkRun, pair);
  await hers[0]!.client.sendText({ to: bob.person.account, text: 'see you' });
  await checkRun.readFirst(pair.chat, [...MET, 'see you'], ...hers);
  await close([...hers, ...his]);
  await writeTrust(checkRun, alice.person.account, before);
  await putKeysBack(checkRun, bob.person.account, oldKeys);
  await startUntrusted(checkRun, pair);
}

/** The same rollback for a browser that has already seen the newer list. */
export async function checkRolledBackOldBrowser(checkRun: CheckRun): Promise<void> {
  const pair = await meet(checkRun);
  const { alice, bob, hers } = pair;
  const { account } = alice.person;
  const before = await readTrust(checkRun, account);
  await renew(checkRun, pair);
  const newest = await readTrust(checkRun, account);
  await close(hers);
  await writeTrust(checkRun, account, before);
  const phone = checkRun.start(hers[0]!);
  const isNewest = async () => (await readTrust(checkRun, account))!.rev >= newest!.rev;
  await checkRun.becomes('the list is the newest again', isNewest);
  await checkRun.becomes('his keys are still trusted', async () => (await identity(phone, bob)) === 'known');
  const fresh = await checkRun.signIn(alice);
  await checkRun.becomes('also in a new browser', async () => (await identity(fresh, bob)) === 'known');
}

/** He starts fresh, and she accepts his new keys. */
async function renew(checkRun: CheckRun, { alice, bob, hers, his }: Pair): Promise<void> {
  const before = await readTrust(checkRun, alice.person.account);
  await close(his.slice(1));
  await his[0]!.client.keys.startFresh();
  await checkRun.ready('his keys are others', async () => (await identity(hers[0]!, bob)) === 'changed');
  await hers[0]!.client.keys.acceptIdentity(bob.person.account);
  await listStored(checkRun, alice, before!.rev + 1);
  for (const browser of hers) await checkRun.ready('accepted', async () => (await identity(browser, bob)) === 'known');
}

/** Sends a message that names the trust list known to her browser. */
async function writeOnce(checkRun: CheckRun, { bob, chat, hers, his }: Pair): Promise<void> {
  await hers[0]!.client.sendText({ to: bob.person.account, text: 'see you' });
  await checkRun.readFirst(chat, [...MET, 'see you'], ...hers, ...his);
}

async function startUntrusted(checkRun: CheckRun, { alice, bob }: Pair): Promise<void> {
  const fresh = await checkRun.signIn(alice);
  await checkRun.becomes('a new browser trusts no contact', async () => (await identity(fresh, bob)) === 'changed');
}
