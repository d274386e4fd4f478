/** The server erases a message, or delivers it as part of another chat. */
import { addOwner } from '@dostar/client/testing/owners';
import { directChat, type MessageId } from '@dostar/protocol/ids';
import type { Trial } from '../../harness/trial/trial.ts';
import { erase, moveToChat } from './lies.ts';
import { meet, MET, type Pair } from './people.ts';

const PROMISE = 'I promise to pay 1000';
const BEFORE = [...MET, PROMISE];

export async function checkErasedByAuthor(trial: Trial): Promise<void> {
  await checkErased(trial, ({ alice }) => alice.person.account);
}

export async function checkErasedByReader(trial: Trial): Promise<void> {
  await checkErased(trial, ({ bob }) => bob.person.account);
}

async function checkErased(trial: Trial, by: (pair: Pair) => Pair['alice']['person']['account']): Promise<void> {
  const pair = await meet(trial);
  const { alice, bob, chat, hers, his } = pair;
  const id = await promise(trial, pair);
  await erase(trial, bob.person.account, { chat, sender: alice.person.account, id }, by(pair));
  await hers[0]!.client.sendText({ to: bob.person.account, text: 'next' });
  await trial.read(chat, [...BEFORE, 'next'], ...his);
}

/** The server shows Alice's promise in Bob's chat with Carol. */
export async function checkMovedToChat(trial: Trial): Promise<void> {
  const pair = await meet(trial);
  const { alice, bob, chat, hers, his } = pair;
  const carol = await addOwner(trial.place, 0);
  await trial.place.befriend(carol.person, bob.person);
  const other = directChat(carol.person.account, bob.person.account);
  const id = await promise(trial, pair);
  await moveToChat(trial, bob.person.account, { chat, sender: alice.person.account, id }, other);
  await hers[0]!.client.sendText({ to: bob.person.account, text: 'next' });
  await trial.read(chat, [...BEFORE, 'next'], ...his);
  await trial.read(other, [], ...his);
}

async function promise(trial: Trial, { bob, chat, hers, his }: Pair): Promise<MessageId> {
  const id = await hers[0]!.client.sendText({ to: bob.person.account, text: PROMISE });
  await trial.readFirst(chat, BEFORE, ...his);
  return id;
}
