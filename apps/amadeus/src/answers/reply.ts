/** Amadeus's own replies: the same for the same question, without a network. */
import type { Locale } from '@dostar/protocol/contract/accounts';
import en from '../words/en.json' with { type: 'json' };
import kz from '../words/kz.json' with { type: 'json' };
import ru from '../words/ru.json' with { type: 'json' };
import { detectLanguage } from './detect-language.ts';
import { findTopic } from './find-topic.ts';
import { listTutorials } from './tutorials.ts';
import { type TopicId, TOPICS } from './keywords/keywords.ts';
import { tokenise, normaliseWord } from './tokens.ts';

const WORDS = { en, kz, ru };

export interface Asker {
  /** The language of the asker's app: for greetings, and for questions whose language cannot be detected. */
  locale: Locale;
}

export interface DeploymentInfo {
  /** The origin of the site with the tutorials, without a path. */
  site: string;
}

export type Reply =
  /** `isChosen`: the person chose the topic by its number in the menu. */
  | { kind: 'topic'; topic: TopicId; text: string; isChosen: boolean }
  | { kind: 'menu' | 'unknown' | 'thanks'; text: string };

export function composeGreeting(locale: Locale): string {
  return `${WORDS[locale].greeting}\n\n${composeMenu(locale)}`;
}

/** Sent before any message is passed to a model. */
export function composeModelNotice(locale: Locale, host: string): string {
  return WORDS[locale].notice.replace('{host}', host);
}

export function composeOnlyText(locale: Locale): string {
  return WORDS[locale].onlyText;
}

export function composeReply(question: string, { locale }: Asker, { site }: DeploymentInfo): Reply {
  const language = detectLanguage(question) ?? locale;
  const chosen = parseMenuChoice(question);
  if (chosen === 0 || isSmallTalk(question, GREETINGS)) return { kind: 'menu', text: composeMenu(language) };
  if (isSmallTalk(question, THANKS)) return { kind: 'thanks', text: WORDS[language].welcome };
  const topic = chosen === undefined ? findTopic(language, question) : TOPICS[chosen - 1];
  if (topic !== undefined) {
    return { kind: 'topic', topic, text: composeTutorial(language, topic, site), isChosen: chosen !== undefined };
  }
  const { unknown, handOver } = WORDS[language];
  return { kind: 'unknown', text: `${unknown} ${handOver}\n\n${composeMenu(language)}` };
}

/** A numbered list in plain text, which screen readers, all keyboards and all apps support. */
function composeMenu(locale: Locale): string {
  const { menu, topics } = WORDS[locale];
  return [menu, ...TOPICS.map((id, index) => `${index + 1}. ${topics[id]}`)].join('\n');
}

function composeTutorial(locale: Locale, topic: TopicId, site: string): string {
  const { good, page, more } = WORDS[locale];
  const tutorial = listTutorials(locale).find(({ id }) => id === topic);
  if (tutorial === undefined) throw new Error(`no tutorial ${topic}`);
  const steps = tutorial.steps.map((step, index) => `${index + 1}. ${step}`);
  // English has no path prefix, as everywhere on the site.
  const address = `${site}${locale === 'en' ? '' : `/${locale}`}/tutorials#${topic}`;
  const parts = [tutorial.title, steps.join('\n'), `${good}: ${tutorial.note}`, page.replace('{page}', address), more];
  return parts.join('\n\n');
}

function parseMenuChoice(question: string): number | undefined {
  const digit = /^\D{0,3}([0-7])\D{0,3}$/u.exec(question.trim())?.[1];
  return digit !== undefined && tokenise(question).length === 1 ? Number(digit) : undefined;
}

const GREETINGS = toSet(
  'hello hi hey good day morning evening help menu start привет здравствуйте здравствуй добрый день вечер утро помощь помоги меню салем сәлем сәлеметсіз бе қайырлы күн кеш таң көмек көмектес амадей amadeus',
);
const THANKS = toSet(
  'thanks thank you very much so a lot ok okay great спасибо большое огромное благодарю хорошо понятно ок рахмет көп үлкен рақмет жақсы түсінікті амадей amadeus',
);

function toSet(words: string): Set<string> {
  return new Set(words.split(' ').map(normaliseWord));
}

function isSmallTalk(question: string, words: Set<string>): boolean {
  const forms = tokenise(question);
  return forms.length > 0 && forms.every((form) => words.has(form));
}
