import { describe, expect, test } from 'vitest';
import { composeGreeting, composeReply } from './reply.ts';

const deployment = { site: 'https://dostar.example' };
const asker = { locale: 'ru' } as const;

describe('a reply', () => {
  test('contains the whole tutorial and the address of its page', () => {
    const { text } = composeReply('How do I add a friend?', asker, deployment);
    expect(text).toContain('Add a friend\n\n1. In your chats, select “New chat”, then “Add a friend”.');
    expect(text).toContain('https://dostar.example/tutorials#contact');
  });

  test('is in the language of the question, not of the app', () => {
    expect(composeReply('Досымды қалай қосамын?', asker, deployment).text).toContain('/kz/tutorials#contact');
  });

  test('to a number is the topic of that number, in the language of the app', () => {
    expect(composeReply(' 5. ', asker, deployment)).toMatchObject({ kind: 'topic', topic: 'device' });
    expect(composeReply('5', asker, deployment).text).toContain('Новый телефон');
  });

  test('to a zero, a greeting or a call for help is the list of topics', () => {
    for (const text of ['0', 'Hello!', 'Сәлем', 'помощь'])
      expect(composeReply(text, asker, deployment).kind).toBe('menu');
  });

  test('to thanks contains no question', () => {
    expect(composeReply('Рахмет!', asker, deployment)).toEqual({ kind: 'thanks', text: 'Оқасы жоқ, әрқашан жазыңыз!' });
  });

  test('to an unknown topic says that it does not know, and lists the known topics', () => {
    const { kind, text } = composeReply('What is the capital of France?', asker, deployment);
    expect(kind).toBe('unknown');
    expect(text).toContain('I don’t know the answer to that');
    expect(text).toContain('7. Notifications and sounds');
  });

  test('to a text without words says that it does not know', () => {
    expect(composeReply('🙂', asker, deployment).text).toContain('Этого я не знаю');
  });
});

test.each(['en', 'kz', 'ru'] as const)('a greeting lists seven topics (%s)', (locale) => {
  expect(composeGreeting(locale).match(/^[1-7]\. /gm)).toHaveLength(7);
});
