/**
 * Finds the tutorial that answers a question, if there is one.
 *
 * A topic's score is the sum of two parts: the keywords of the topic in the question (keywords/), and the share of the
 * question that is in the tutorial's text. Keywords of questions that no tutorial answers (`beyond`) must score less.
 */
import type { Locale } from '@dostar/protocol/contract/accounts';
import MiniSearch from 'minisearch';
import { listTutorials } from './tutorials.ts';
import { english } from './keywords/en.ts';
import { kazakh } from './keywords/kz.ts';
import { type KeywordGroup, type TopicKeywords, type TopicId, TOPICS } from './keywords/keywords.ts';
import { russian } from './keywords/ru.ts';
import { isStopWord, tokenise, normaliseWord, toStem } from './tokens.ts';

/** A question with a lower score could be about any topic. */
const MIN_SCORE = 2.4;
/** The most that the tutorial's text can add to a score. */
const TEXT_WEIGHT = 2;
/** Words of this length or longer may have one wrong character. */
const MIN_FUZZY_LENGTH = 7;

interface Keyword {
  form: string;
  isWhole: boolean;
}

interface ParsedGroup {
  weight: number;
  alternatives: Keyword[][];
}

interface TopicIndex {
  groups: Record<TopicId | 'beyond', ParsedGroup[]>;
  texts: MiniSearch;
}

const KEYWORDS: Record<Locale, TopicKeywords> = { en: english, kz: kazakh, ru: russian };
const indexes = new Map<Locale, TopicIndex>();

export function findTopic(locale: Locale, question: string): TopicId | undefined {
  const topicIndex = indexes.get(locale) ?? buildTopicIndex(locale);
  indexes.set(locale, topicIndex);
  const forms = tokenise(question);
  const texts = scoreTexts(topicIndex.texts, forms);
  const scored = TOPICS.map((id) => ({
    id,
    score: sumWeights(topicIndex.groups[id], forms, fuzzyMatchesKeyword) + (texts.get(id) ?? 0),
  }));
  const best = scored.toSorted((one, other) => other.score - one.score)[0];
  if (best === undefined || best.score < MIN_SCORE) return undefined;
  return sumWeights(topicIndex.groups.beyond, forms, startsWithKeyword) < best.score ? best.id : undefined;
}

function buildTopicIndex(locale: Locale): TopicIndex {
  const texts = new MiniSearch({
    fields: ['text'],
    tokenize: tokenise,
    processTerm: (form) => (isStopWord(form) ? null : toStem(form)),
  });
  texts.addAll(
    listTutorials(locale).map(({ id, title, steps, note }) => ({ id, text: [title, ...steps, note].join(' ') })),
  );
  const entries = Object.entries(KEYWORDS[locale]).map(([id, lines]) => [id, lines.map(parseGroup)]);
  return { texts, groups: Object.fromEntries(entries) as TopicIndex['groups'] };
}

function parseGroup([weight, alternatives]: KeywordGroup): ParsedGroup {
  return {
    weight,
    alternatives: alternatives.split('|').map((alternative) => alternative.split(' ').map(parseKeyword)),
  };
}

function parseKeyword(word: string): Keyword {
  const isWhole = word.endsWith('.');
  return { form: normaliseWord(isWhole ? word.slice(0, -1) : word), isWhole };
}

type Matcher = (form: string, keyword: Keyword) => boolean;

function sumWeights(groups: ParsedGroup[], forms: string[], matches: Matcher): number {
  const isPresent = (keyword: Keyword): boolean => forms.some((form) => matches(form, keyword));
  const present = groups.filter(({ alternatives }) => alternatives.some((alternative) => alternative.every(isPresent)));
  return present.reduce((sum, { weight }) => sum + weight, 0);
}

function startsWithKeyword(form: string, { form: prefix, isWhole }: Keyword): boolean {
  return isWhole ? form === prefix : form.startsWith(prefix);
}

/** Only for topics: a typo must not match the keywords of questions that no tutorial answers. */
function fuzzyMatchesKeyword(form: string, keyword: Keyword): boolean {
  return (
    startsWithKeyword(form, keyword) ||
    (!keyword.isWhole && keyword.form.length >= MIN_FUZZY_LENGTH && isOneEditAway(form, keyword.form))
  );
}

/** Whether the form begins with the prefix, except for one character that is changed, missing, doubled or swapped. */
function isOneEditAway(form: string, prefix: string): boolean {
  const at = prefix.split('').findIndex((character, index) => form[index] !== character);
  const rest = prefix.slice(at + 1);
  return (
    form.slice(at + 1).startsWith(rest) ||
    form.slice(at).startsWith(rest) ||
    form.slice(at + 1).startsWith(prefix.slice(at)) ||
    form.slice(at).startsWith((prefix[at + 1] ?? '') + (prefix[at] ?? '') + prefix.slice(at + 2))
  );
}

/** For each topic, the share of the question's words that its tutorial contains. */
function scoreTexts(texts: MiniSearch, forms: string[]): Map<TopicId, number> {
  const words = [...new Set(forms.filter((form) => !isStopWord(form)))];
  const hits = texts.search(words.join(' '));
  const sum = hits.reduce((all, { score }) => all + score, 0);
  const known = new Set(hits.flatMap(({ terms }) => terms));
  const coverage = words.length === 0 ? 0 : Math.min(1, known.size / words.length);
  return new Map(hits.map(({ id, score }) => [id as TopicId, (TEXT_WEIGHT * coverage * score) / sum]));
}
