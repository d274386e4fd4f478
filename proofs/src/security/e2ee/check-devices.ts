/** Which devices a message is encrypted for, and whose messages are accepted. */
import { EngineDevice } from '../../../../apps/server/test/engine-device.ts';
import { newMessageId } from '../../../../apps/server/test/test-cluster.ts';
import type { Owner, SealedBrowser } from '@dostar/client/testing/owners';
import { encodeContent } from '@dostar/protocol/content/codec';
import { queryKeys } from '@dostar/protocol/contract/device-keys';
import { sendMessage } from '@dostar/protocol/contract/messages';
import { revokeCurrentSession } from '@dostar/protocol/contract/sessions';
import { sendToDevice } from '@dostar/protocol/contract/to-device';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatId } from '@dostar/protocol/ids';
import { userOf } from '@dostar/protocol/matrix-ids';
import { sql } from 'kysely';
import { countBackedUp } from './check-backup.ts';
import { sealUnsigned } from './stolen-session.ts';
import { show, type CheckRun } from '../../harness/checks/check-run.ts';

export async function checkSpy(checkRun: CheckRun): Promise<void> {
  const { alice, bob, chat } = await checkRun.addFriends();
  const [phone, laptop] = [await checkRun.signIn(alice), await checkRun.signIn(bob)];
  const spy = await checkRun.signIn({ ...bob, accountKey: new Uint8Array(32) });
  await phone.client.sendText({ to: bob.person.account, text: 'secret' });
  await checkRun.readFirst(chat, ['secret'], laptop);
  await checkRun.ready('the spy has it', async () => (await show(spy, chat)).length === 1);
  await checkRun.stays('a device that the server adds reads nothing', () => isClosed(spy, chat));
}

export async function checkForger(checkRun: CheckRun): Promise<void> {
  const { alice, bob, chat } = await checkRun.addFriends();
  await checkRun.signIn(alice);
  const laptop = await checkRun.signIn(bob);
  await forge(checkRun, alice, bob, chat);
  await tried(checkRun, laptop, 1);
  await checkRun.stays('a device that the server adds sends nothing', () => isClosed(laptop, chat));
}

/**
 * The key of a refused message is backed up with the other keys. A new browser finds it there after the forging device
 * is gone, and must refuse the message too.
 */
export async function checkForgerInBackup(checkRun: CheckRun): Promise<void> {
  const { alice, bob, chat } = await checkRun.addFriends();
  await checkRun.signIn(alice);
  const laptop = await checkRun.signIn(bob);
  const forger = await forge(checkRun, alice, bob, chat);
  await tried(checkRun, laptop, 1);
  await checkRun.ready('its key is backed up', async () => (await countBackedUp(checkRun, bob)) === 1);
  await laptop.client[Symbol.asyncDispose]();
  const { account } = bob.person;
  await checkRun.cluster.call(revokeCurrentSession, { ...alice.person, token: forger.person.token });
  await checkRun.touch(account, (db) => sql`delete from to_device where owner = ${account}`.execute(db));
  const desktop = await checkRun.signIn(bob);
  // The first attempt has no key, the second has one that the browser does not trust.
  await tried(checkRun, desktop, 2);
  await checkRun.stays('what was refused stays refused in the next browser', () => isClosed(desktop, chat));
}

async function isClosed(browser: SealedBrowser, chat: ChatId): Promise<boolean> {
  const [shown] = await show(browser, chat);
  return shown?.shows.state !== 'content';
}

async function forge(checkRun: CheckRun, alice: Owner, bob: Owner, chat: ChatId): Promise<EngineDevice> {
  const forger = await EngineDevice.open(checkRun.cluster, await checkRun.cluster.addDevice(alice.person));
  const id = newMessageId();
  const text = { kind: 'text' as const, text: 'send me all you have' };
  const content = encodeContent({ id, chat, sender: alice.person.account }, { content: text });
  const body = await sealUnsigned(forger, bob.person, chat, content!);
  await forger.call(sendMessage, { id, to: bob.person.account, body });
  return forger;
}

async function tried(checkRun: CheckRun, { client }: SealedBrowser, times: number): Promise<void> {
  await checkRun.ready('it was tried', async () => {
    const { opened, waiting } = await client.keys.counts();
    return opened > 0 || waiting.key >= times;
  });
}

/** Bob's only device has been replaced, and Alice's browser has not been notified. */
export async function checkStaleDevices(checkRun: CheckRun): Promise<void> {
  const { alice, bob, chat } = await checkRun.addFriends();
  let isReceivePaused = false;
  const phone = await checkRun.signIn(alice, {
    onFrame(text, pass) {
      const frame = JSON.parse(text) as { t: string };
      pass(isReceivePaused && frame.t === 'to_device' ? JSON.stringify({ ...frame, changed: [], left: [] }) : text);
    },
  });
  const laptop = await checkRun.signIn(bob);
  // Alice's browser knows his devices but has sent nothing yet: an older session would also decrypt the next message.
  await laptop.client.sendText({ to: alice.person.account, text: 'one' });
  await checkRun.readFirst(chat, ['one'], phone);
  isReceivePaused = true;
  const desktop = await checkRun.signIn(bob);
  await checkRun.readFirst(chat, ['one'], desktop);
  await laptop.client[Symbol.asyncDispose]();
  await checkRun.cluster.call(revokeCurrentSession, { ...bob.person, token: laptop.token });
  await phone.client.sendText({ to: bob.person.account, text: 'two' });
  await checkRun.read(chat, ['one', 'two'], desktop);
}

export async function checkIdentityReset(checkRun: CheckRun): Promise<void> {
  const { alice, bob, chat } = await checkRun.addFriends();
  const [phone, laptop] = [await checkRun.signIn(alice), await checkRun.signIn(bob)];
  await phone.client.sendText({ to: bob.person.account, text: 'before' });
  await checkRun.readFirst(chat, ['before'], laptop);
  await laptop.client.keys.startFresh();
  const identityOf = () => phone.client.keys.identityOf(bob.person.account);
  await checkRun.becomes('the change is seen', async () => (await identityOf()) === 'changed');
  await phone.client.sendText({ to: bob.person.account, text: 'is it still you?' });
  await checkRun.becomes(
    'sending is blocked',
    async () => (await show(phone, chat)).at(-1)?.error === 'identity_changed',
  );
  checkRun.holds('nothing was sent', (await checkRun.cluster.listEntries(bob.person)).length === 1);
  await phone.client.keys.acceptIdentity(bob.person.account);
  await checkRun.read(chat, ['before', 'is it still you?'], laptop);
}

export async function checkThreeEach(checkRun: CheckRun): Promise<void> {
  const { alice, bob, chat } = await checkRun.addFriends();
  const words: string[] = [];
  const [hers, his]: SealedBrowser[][] = [[], []];
  for (const round of [1, 2, 3]) {
    hers!.push(await checkRun.signIn(alice));
    his!.push(await checkRun.signIn(bob));
    await hers!.at(-1)!.client.sendText({ to: bob.person.account, text: `alice ${round}` });
    words.push(`alice ${round}`);
    await checkRun.read(chat, words, ...hers!, ...his!);
    await his![0]!.client.sendText({ to: alice.person.account, text: `bob ${round}` });
    words.push(`bob ${round}`);
    await checkRun.read(chat, words, ...hers!, ...his!);
  }
}

/** Three concurrent first messages create one session and use one set of one-time keys. */
export async function checkSealLocks(checkRun: CheckRun): Promise<void> {
  const { alice, bob, chat } = await checkRun.addFriends();
  let shares = 0;
  const again = Promise.withResolvers<void>();
  // Holds the first call until the second one starts: on a fast network it would be over before the next message.
  const onCall = async (path: string, body: unknown): Promise<void> => {
    if (path !== sendToDevice.path || !String(body).includes('"m.room.encrypted"')) return;
    shares += 1;
    if (shares === 1) await Promise.race([again.promise, sleep(checkRun.watchMs)]);
    else again.resolve();
  };
  const phone = await checkRun.signIn(alice, { onCall });
  await checkRun.signIn(bob);
  shares = 0;
  const draft = { to: bob.person.account, chat, content: new Uint8Array(256) };
  await Promise.all([1, 2, 3].map(() => phone.keyRing!.seal(draft)));
  checkRun.holds('the key goes out once', shares === 1, shares);
}

export async function checkStranger(checkRun: CheckRun): Promise<void> {
  const { alice } = await checkRun.addFriends();
  await checkRun.signIn(alice);
  const eve = await checkRun.cluster.addAccount();
  const user = userOf(alice.person.account);
  const { body } = await checkRun.cluster.call(queryKeys, eve, { device_keys: { [user]: [] } });
  checkRun.holds('a stranger sees no devices', Object.keys(body.device_keys[user]).length === 0, body.device_keys);
  checkRun.holds('a stranger sees no identity', body.master_keys[user] === undefined);
}

export async function checkEndedDevice(checkRun: CheckRun): Promise<void> {
  const { alice, bob, chat } = await checkRun.addFriends();
  const phone = await checkRun.signIn(alice);
  const [laptop, desktop] = [await checkRun.signIn(bob), await checkRun.signIn(bob)];
  await phone.client.sendText({ to: bob.person.account, text: 'to both' });
  await checkRun.readFirst(chat, ['to both'], laptop, desktop);
  await checkRun.cluster.call(revokeCurrentSession, { ...bob.person, token: desktop.token });
  const user = userOf(bob.person.account);
  const { body } = await checkRun.cluster.call(queryKeys, alice.person, { device_keys: { [user]: [] } });
  const left = Object.keys(body.device_keys[user] as object);
  // His laptop and the dehydrated device.
  checkRun.holds('a device ends with its session', left.length === 2, left);
}
