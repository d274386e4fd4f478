/** Answers the unanswered messages of a chat. */
import type { Client, Contact, Message } from '@dostar/client';
import type { Locale } from '@dostar/protocol/contract/accounts';
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import { composeModelNotice, composeOnlyText, composeReply, type Reply } from '../answers/reply.ts';
import type { Model } from './model.ts';
import { answerId, modelNoticeId } from './message-ids.ts';
import { sendText } from './send-text.ts';

const PAGE = 50;

export interface AnswerDeps {
  account: AccountId;
  client: Client;
  site: string;
  model: Model | undefined;
}

/** Returns whether all messages were readable: a message without its key is answered once the key has arrived. */
export async function answerChat(deps: AnswerDeps, chat: ChatId, contact: Contact): Promise<boolean> {
  const { client, account } = deps;
  const { messages, isFullyReadable } = await listUnansweredMessages(deps, chat);
  if (messages.length > 0) await acceptKeys(client, contact.id);
  for (const message of messages) {
    const text = await composeAnswer(deps, message, contact);
    await sendText(client, contact.id, text, answerId(message.sender, message.id));
  }
  const seq = messages.at(-1)?.seq;
  if (seq !== undefined && contact.id !== account) await client.markRead(chat, seq);
  return isFullyReadable;
}

/** Oldest first. An answer follows its question, so it is in the same page as the question or in a newer one. */
async function listUnansweredMessages({ client, account }: AnswerDeps, chat: ChatId) {
  const messages: Message[] = [];
  const sentIds = new Set<string>();
  let isFullyReadable = true;
  let before: number | undefined;
  for (;;) {
    const page = await client.listHistory({ chat, limit: PAGE, ...(before !== undefined && { before }) });
    for (const { sender, id } of page) if (sender === account) sentIds.add(id);
    const received = page.filter(({ sender }) => sender !== account);
    if (received.some(({ shows }) => shows.state === 'waiting')) isFullyReadable = false;
    const unanswered = received.filter(
      (message) => isQuestion(message) && !sentIds.has(answerId(message.sender, message.id)),
    );
    messages.unshift(...unanswered);
    before = page[0]?.seq;
    // A page without an unanswered question ends the search, because answers are sent in order.
    if (unanswered.length === 0 || page.length < PAGE || before === undefined) return { messages, isFullyReadable };
  }
}

function isQuestion({ shows }: Message): boolean {
  return shows.state === 'content' && ['text', 'media', 'voice'].includes(shows.content.kind);
}

/**
 * Accepts changed identities: a program can't judge whether a contact is still the same person, so it answers everyone.
 */
async function acceptKeys({ keys }: Client, peer: AccountId): Promise<void> {
  const identity = await keys.identityOf(peer);
  if (identity === 'changed' || identity === 'withdrawn') await keys.acceptIdentity(peer);
}

async function composeAnswer(deps: AnswerDeps, message: Message, contact: Contact): Promise<string> {
  const locale: Locale = contact.locale ?? 'en';
  const { shows } = message;
  if (shows.state !== 'content' || shows.content.kind !== 'text') return composeOnlyText(locale);
  const question = shows.content.text;
  const reply = composeReply(question, { locale }, { site: deps.site });
  const { model } = deps;
  if (model === undefined || !shouldAskModel(reply)) return reply.text;
  if (!(await hasSeenModelNotice(deps, message, contact, model.host))) return reply.text;
  return (await model.ask(question, locale)) ?? reply.text;
}

/** For greetings, thanks and menu numbers, a model's answer would not be better. */
function shouldAskModel(reply: Reply): boolean {
  return reply.kind === 'unknown' || (reply.kind === 'topic' && !reply.isChosen);
}

/** False for messages that were written before the notice: they are not sent to the model. */
async function hasSeenModelNotice({ client, account }: AnswerDeps, message: Message, contact: Contact, host: string) {
  const id = modelNoticeId(contact.id, host);
  await sendText(client, contact.id, composeModelNotice(contact.locale ?? 'en', host), id);
  const [notice] = (await client.listHistory({ chat: message.chat, limit: PAGE })).filter(
    (one) => one.sender === account && one.id === id,
  );
  // The notice is not among the newest messages, so it was sent long before this one.
  return notice === undefined || (notice.seq !== undefined && message.seq !== undefined && notice.seq < message.seq);
}
