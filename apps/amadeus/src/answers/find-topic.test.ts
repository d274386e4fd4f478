import { describe, expect, test } from 'vitest';
import { topics } from '../../../web/src/features/tutorials/topics.ts';
import { detectLanguage } from './detect-language.ts';
import { findTopic } from './find-topic.ts';
import { listTutorials } from './tutorials.ts';
import { TOPICS } from './keywords/keywords.ts';
import { sampleQuestions, offTopicQuestions } from './sample-questions.ts';

const LOCALES = ['en', 'kz', 'ru'] as const;

describe('the library', () => {
  test.each(LOCALES)('has the tutorials of the page in the same order (%s)', (locale) => {
    const steps = topics.map(({ id, steps: keys }) => [id, keys.length]);
    expect(listTutorials(locale).map(({ id, steps: texts }) => [id, texts.length])).toEqual(steps);
    expect(topics.map(({ id }) => id)).toEqual(TOPICS);
  });
});

describe('a question', () => {
  test.each(LOCALES)('is answered by its tutorial (%s)', (locale) => {
    const wrong = sampleQuestions[locale].filter(([topic, text]) => findTopic(locale, text) !== topic);
    expect(wrong.map(([topic, text]) => [topic, findTopic(locale, text), text])).toEqual([]);
  });

  test.each(LOCALES)('beyond the tutorials is not answered by any (%s)', (locale) => {
    const known = offTopicQuestions[locale].filter((text) => findTopic(locale, text) !== undefined);
    expect(known.map((text) => [findTopic(locale, text), text])).toEqual([]);
  });

  test.each(LOCALES)('is detected in its language (%s)', (locale) => {
    const texts = sampleQuestions[locale].map(([, text]) => text);
    expect(texts.filter((text) => detectLanguage(text) !== locale)).toEqual([]);
  });

  test('with a wrong character finds the same tutorial', () => {
    expect(findTopic('en', 'how do I turn on notifcations')).toBe('notifications');
    expect(findTopic('ru', 'как включить уведамления')).toBe('notifications');
    expect(findTopic('kz', 'хабарлондыруды қалай қосамын')).toBe('notifications');
  });

  test('in Kazakh typed with Russian letters is Kazakh', () => {
    expect(detectLanguage('купиясозди умытып калдым, калай кирем')).toBe('kz');
    expect(findTopic('kz', 'купиясозди умытып калдым, калай кирем')).toBe('recovery');
  });
});
