/** The server erases a message, or delivers it as part of another chat. */
import { addOwner } from '@dostar/client/testing/owners';
import { directChat, type MessageId } from '@dostar/protocol/ids';
import type { CheckRun } from '../../harness/checks/check-run.ts';
import { erase, moveToChat } from './lies.ts';
import { meet, MET, type Pair } from './pairs.ts';

const PROMISE = 'I promise to pay 1000';
const BEFORE = [...MET, PROMISE];

export async function checkErasedByAuthor(checkRun: CheckRun): Promise<void> {
  await checkErased(checkRun, ({ alice }) => alice.person.account);
}

export async function checkErasedByReader(checkRun: CheckRun): Promise<void> {
  await checkErased(checkRun, ({ bob }) => bob.person.account);
}

async function checkErased(checkRun: CheckRun, by: (pair: Pair) => Pair['alice']['person']['account']): Promise<void> {
  const pair = await meet(checkRun);
  const { alice, bob, chat, hers, his } = pair;
  const id = await promise(checkRun, pair);
  await erase(checkRun, bob.person.account, { chat, sender: alice.person.account, id }, by(pair));
  await hers[0]!.client.sendText({ to: bob.person.account, text: 'next' });
  await checkRun.read(chat, [...BEFORE, 'next'], ...his);
}

/** The server shows Alice's promise in Bob's chat with Carol. */
export async function checkMovedToChat(checkRun: CheckRun): Promise<void> {
  const pair = await meet(checkRun);
  const { alice, bob, chat, hers, his } = pair;
  const carol = await addOwner(checkRun.cluster, 0);
  await checkRun.cluster.befriend(carol.person, bob.person);
  const other = directChat(carol.person.account, bob.person.account);
  const id = await promise(checkRun, pair);
  await moveToChat(checkRun, bob.person.account, { chat, sender: alice.person.account, id }, other);
  await hers[0]!.client.sendText({ to: bob.person.account, text: 'next' });
  await checkRun.read(chat, [...BEFORE, 'next'], ...his);
  await checkRun.read(other, [], ...his);
}

async function promise(checkRun: CheckRun, { bob, chat, hers, his }: Pair): Promise<MessageId> {
  const id = await hers[0]!.client.sendText({ to: bob.person.account, text: PROMISE });
  await checkRun.readFirst(chat, BEFORE, ...his);
  return id;
}
