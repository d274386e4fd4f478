/** Accepts contact requests, greets new contacts and answers messages, until the session ends. */
import type { Client, Contact } from '@dostar/client';
import { until } from '@dostar/client/until';
import { type ChatId, directChat } from '@dostar/protocol/ids';
import { composeGreeting, composeModelNotice } from '../answers/reply.ts';
import type { Log } from '../client/open-assistant-client.ts';
import { type AnswerDeps, answerChat } from './answer-chat.ts';
import { greetingId, modelNoticeId } from './message-ids.ts';
import { sendText } from './send-text.ts';

/** Only the newest chats are watched: a new message moves its chat to the top. */
const WATCHED = 2_000;

interface AssistantDeps extends AnswerDeps {
  log: Log;
}

/** Returns once the session has ended; the caller signs in again. */
export async function runAssistant(deps: AssistantDeps): Promise<void> {
  const { client, log } = deps;
  const contacts = client.live.contacts();
  const chats = client.live.chats({ limit: WATCHED });
  const progress = client.live.progress();
  const seen = new Map<ChatId, string>();
  const chatsWithoutKeys = new Set<ChatId>();
  const queues = new Map<ChatId, Promise<void>>();
  const greeted = new Set<string>();

  // Earlier answers are in the mailbox: before it has been read, every message looks unanswered.
  await until(client.live.connection(), ({ isCaughtUp }) => isCaughtUp);
  contacts.subscribe(greetContacts);
  chats.subscribe(checkChats);
  progress.subscribe(() => {
    for (const chat of chatsWithoutKeys) queueAnswer(chat);
  });
  // A contact may have a first device now: messages that wait to be encrypted for the contact are retried.
  client.keys.onChange(() => void client.nudge());
  greetContacts();
  checkChats();
  log('amadeus listens');
  await until(client.live.connection(), ({ state }) => state === 'signed_out' || state === 'outdated');

  function greetContacts(): void {
    for (const contact of contacts.getSnapshot() ?? []) {
      const key = `${contact.id} ${contact.state} ${contact.peerAccepts} ${contact.username !== undefined}`;
      if (greeted.has(key)) continue;
      greeted.add(key);
      void greetContact(client, deps, contact).catch((error: unknown) => {
        greeted.delete(key);
        log('contact not met', { error });
      });
      // The contact may have written before the request was accepted.
      queueAnswer(directChat(deps.account, contact.id));
    }
  }

  function checkChats(): void {
    for (const { chat, last, readUpTo, unread } of chats.getSnapshot() ?? []) {
      // The server may place a question before an answer that was sent meanwhile: then the question is not the last
      // message, and only the unread count changes.
      const state = `${last.id} ${last.shows.state} ${readUpTo} ${unread}`;
      if (seen.get(chat) === state) continue;
      seen.set(chat, state);
      queueAnswer(chat);
    }
  }

  /** One run per chat at a time: two would send the same answer, and the server would refuse the second. */
  function queueAnswer(chat: ChatId): void {
    const queued = (queues.get(chat) ?? Promise.resolve())
      .then(async () => {
        const contact = contacts.getSnapshot()?.find(({ id }) => directChat(deps.account, id) === chat);
        if (contact?.state !== 'accepted') return;
        if (await answerChat(deps, chat, contact)) chatsWithoutKeys.delete(chat);
        else chatsWithoutKeys.add(chat);
      })
      .catch((error: unknown) => {
        seen.delete(chat);
        log('chat not answered', { error });
      });
    queues.set(chat, queued);
    void queued.then(() => queues.get(chat) === queued && queues.delete(chat));
  }
}

async function greetContact(client: Client, { model }: AssistantDeps, contact: Contact): Promise<void> {
  const { id, state, peerAccepts, locale = 'en' } = contact;
  if (state === 'asked') await client.contacts.accept(id);
  // The contact's language arrives with the username.
  if (state !== 'accepted' || !peerAccepts || contact.username === undefined) return;
  await sendText(client, id, composeGreeting(locale), greetingId(id));
  if (model) await sendText(client, id, composeModelNotice(locale, model.host), modelNoticeId(id, model.host));
}
