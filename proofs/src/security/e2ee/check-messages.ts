/** A message is accepted once, in its chat, and only from its author. */
import { newMessageId } from '../../../../apps/server/test/test-cluster.ts';
import { sendMessage } from '@dostar/protocol/contract/messages';
import type { SealedBrowser } from '@dostar/client/testing/owners';
import type { ChatId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import { show, type CheckRun } from '../../harness/checks/check-run.ts';

export async function checkReplay(checkRun: CheckRun): Promise<void> {
  const { alice, bob, chat } = await checkRun.addFriends();
  const [phone, laptop] = [await checkRun.signIn(alice), await checkRun.signIn(bob)];
  await phone.client.sendText({ to: bob.person.account, text: 'pay 10' });
  await checkRun.readFirst(chat, ['pay 10'], laptop);
  const [entry] = await checkRun.cluster.listEntries(bob.person);
  const body = entry?.kind === 'mail' ? (entry.body ?? '') : '';
  await checkRun.cluster.call(sendMessage, alice.person, { id: newMessageId(), to: bob.person.account, body });
  const states = await settledStates(checkRun, laptop, chat, 2);
  checkRun.holds('the copy is refused', isRefused(states[1]), states);
}

/**
 * The server delivers a message under another id only. If that worked, it could deliver the message again and again.
 */
export async function checkRenamed(checkRun: CheckRun): Promise<void> {
  const { alice, bob, chat } = await checkRun.addFriends();
  const first = await checkRun.signIn(bob);
  await first.client[Symbol.asyncDispose]();
  const phone = await checkRun.signIn(alice);
  await phone.client.sendText({ to: bob.person.account, text: 'pay 10' });
  await checkRun.ready('it is sent', async () => (await checkRun.cluster.listEntries(bob.person)).length === 1);
  await checkRun.touch(bob.person.account, (db) =>
    sql`update log set message_id = ${newMessageId()} where owner = ${bob.person.account}`.execute(db),
  );
  const states = await settledStates(checkRun, await checkRun.signIn(bob), chat, 1);
  checkRun.holds('it is refused under another id', isRefused(states[0]), states);
}

/** The server delivers Alice's message to Bob as a message that Bob sent. */
export async function checkSenderSwap(checkRun: CheckRun): Promise<void> {
  const { alice, bob, chat } = await checkRun.addFriends();
  const laptop = await checkRun.signIn(bob);
  await laptop.client[Symbol.asyncDispose]();
  const phone = await checkRun.signIn(alice);
  await phone.client.sendText({ to: bob.person.account, text: 'I owe you 10' });
  await checkRun.ready('it is sent', async () => (await checkRun.cluster.listEntries(bob.person)).length === 1);
  const { account } = bob.person;
  await checkRun.touch(account, (db) => sql`update log set sender = ${account} where owner = ${account}`.execute(db));
  const states = await settledStates(checkRun, checkRun.start(laptop), chat, 1);
  checkRun.holds('it is refused from another sender', isRefused(states[0]), states);
}

/** Bob's client is modified: it tries to edit and delete messages of Alice. */
export async function checkAuthors(checkRun: CheckRun): Promise<void> {
  const { alice, bob, chat } = await checkRun.addFriends();
  const [phone, laptop] = [await checkRun.signIn(alice), await checkRun.signIn(bob)];
  const ids = [];
  for (const text of ['I owe you 10', 'and you owe me 5']) {
    ids.push(await phone.client.sendText({ to: bob.person.account, text }));
    await checkRun.ready('it is read', async () => (await show(laptop, chat)).length === ids.length);
  }
  const [first, second] = ids.map((id) => ({ sender: alice.person.account, id }));
  const to = alice.person.account;
  await laptop.client.sendMessage({ to, content: { kind: 'edit', target: first!, text: 'I owe you 1,000' } });
  await laptop.client.sendMessage({ to, content: { kind: 'delete', target: second! } });
  await laptop.client.sendText({ to, text: 'the last word' });
  await checkRun.ready('every message has arrived', async () =>
    (await show(phone, chat)).some(({ shows }) => JSON.stringify(shows).includes('the last word')),
  );
  const said = (await show(phone, chat)).map(({ shows }) =>
    shows.state === 'content' && shows.content.kind === 'text' ? shows.content.text : shows.state,
  );
  const whole = ['I owe you 10', 'and you owe me 5', 'the last word'];
  checkRun.holds('only its author changes a message', said.join('|') === whole.join('|'), said);
}

/** Waits until no message is being decrypted and returns the states of the messages. */
async function settledStates(
  checkRun: CheckRun,
  browser: SealedBrowser,
  chat: ChatId,
  count: number,
): Promise<string[]> {
  const list = async () =>
    (await show(browser, chat)).map(({ shows }) =>
      shows.state === 'refused' ? `refused: ${shows.reason}` : shows.state,
    );
  await checkRun.ready(`${count} have arrived`, async () => {
    const states = await list();
    return states.length === count && !states.includes('waiting');
  });
  return list();
}

function isRefused(state: string | undefined): boolean {
  return state?.startsWith('refused') === true;
}
