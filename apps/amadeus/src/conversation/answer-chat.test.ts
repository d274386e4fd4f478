import type { Client, Contact, Message } from '@dostar/client';
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import { beforeEach, expect, test, vi } from 'vitest';
import { composeModelNotice, composeReply } from '../answers/reply.ts';
import { type AnswerDeps, answerChat } from './answer-chat.ts';
import { modelNoticeId } from './message-ids.ts';

const account = '0192d5a0-0000-7000-8000-000000000001' as AccountId;
const asker = '0192d5a0-0000-7000-8000-000000000002' as AccountId;
const chat = 'a chat' as ChatId;
const contact = { id: asker, locale: 'en' } as Contact;
const site = 'https://chat.example';

/** The chat in the order of the server, each id once. */
let log: Message[] = [];

function add(sender: AccountId, id: string, text: string): void {
  if (log.some((one) => one.id === id)) return;
  const content = { kind: 'text', text };
  log.push({ sender, id, chat, seq: log.length + 1, shows: { state: 'content', content } } as never);
}

function addQuestion(text: string): void {
  add(asker, `0192d5a0-1000-7000-8000-${String(log.length).padStart(12, '0')}`, text);
}

const ask = vi.fn<(question: string) => Promise<string | undefined>>();
const deps: AnswerDeps = {
  account,
  site,
  model: { host: 'models.example', ask },
  client: {
    listHistory: async () => [...log],
    sendMessage: async ({ content, id }: { content: { text: string }; id: string }) => add(account, id, content.text),
    markRead: async () => {},
    keys: { identityOf: async () => 'known', acceptIdentity: async () => {} },
  } as unknown as Client,
};

function sentTexts(): string[] {
  return log.flatMap(({ sender, shows }) =>
    sender === account && shows.state === 'content' && shows.content.kind === 'text' ? [shows.content.text] : [],
  );
}

beforeEach(() => {
  log = [];
  ask.mockReset().mockResolvedValue('What the model says.');
});

test('messages from before the notice are not passed to the model', async () => {
  addQuestion('How do I add a friend?');
  await answerChat(deps, chat, contact);
  expect(ask).not.toHaveBeenCalled();
  const own = composeReply('How do I add a friend?', { locale: 'en' }, { site }).text;
  expect(sentTexts()).toEqual([composeModelNotice('en', 'models.example'), own]);
  addQuestion('And my password?');
  await answerChat(deps, chat, contact);
  expect(ask.mock.calls).toEqual([['And my password?', 'en']]);
  expect(sentTexts().at(-1)).toBe('What the model says.');
});

test('the notice names the host, and is sent once per host', async () => {
  add(account, modelNoticeId(asker, 'models.example'), composeModelNotice('en', 'models.example'));
  addQuestion('How do I add a friend?');
  await answerChat(deps, chat, contact);
  expect(sentTexts()).toEqual([composeModelNotice('en', 'models.example'), 'What the model says.']);
  expect(sentTexts()[0]).toContain('models.example');
  const moved = { ...deps, model: { host: 'other.example', ask } };
  addQuestion('And a photo?');
  await answerChat(moved, chat, contact);
  expect(ask).toHaveBeenCalledTimes(1);
  expect(sentTexts()).toContain(composeModelNotice('en', 'other.example'));
});

test('if the model gives no answer, Amadeus replies from its tutorials or refers to the administrator', async () => {
  add(account, modelNoticeId(asker, 'models.example'), composeModelNotice('en', 'models.example'));
  ask.mockResolvedValue(undefined);
  for (const question of ['How do I add a friend?', 'What is the capital of Mongolia?']) {
    addQuestion(question);
    await answerChat(deps, chat, contact);
    expect(sentTexts().at(-1)).toBe(composeReply(question, { locale: 'en' }, { site }).text);
  }
  expect(sentTexts().at(-1)).toContain('contact your server’s administrator');
});

test('greetings, thanks and chosen numbers are answered without the model', async () => {
  add(account, modelNoticeId(asker, 'models.example'), composeModelNotice('en', 'models.example'));
  for (const words of ['Hello', 'Thank you', '0', '3']) addQuestion(words);
  await answerChat(deps, chat, contact);
  expect(ask).not.toHaveBeenCalled();
  expect(sentTexts()).toHaveLength(5);
});
