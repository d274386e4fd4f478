/**
 * Which tutorial answers a question, or none.
 *
 * Two voices are added: what people say when they mean a topic (roots/), and how much of the question stands in the
 * tutorial itself. What speaks for something beyond all tutorials speaks against each of them.
 */
import type { Locale } from '@dostar/protocol/contract/accounts';
import MiniSearch from 'minisearch';
import { listTutorials } from './library.ts';
import { english } from './roots/en.ts';
import { kazakh } from './roots/kz.ts';
import { type Line, type Roots, type TopicId, TOPICS } from './roots/roots.ts';
import { russian } from './roots/ru.ts';
import { isEveryday, readForms, toForm, toStem } from './tokens.ts';

/** Below it nothing was said that only one topic is about. */
const ENOUGH = 2.4;
/** The most that the tutorial's own words add. */
const TEXT_WEIGHT = 2;
/** From here on one letter may be wrong. */
const LONG_ROOT = 7;

interface Root {
  form: string;
  isWhole: boolean;
}

interface Meaning {
  weight: number;
  ways: Root[][];
}

interface Judge {
  meanings: Record<TopicId | 'beyond', Meaning[]>;
  texts: MiniSearch;
}

const ROOTS: Record<Locale, Roots> = { en: english, kz: kazakh, ru: russian };
const judges = new Map<Locale, Judge>();

export function findTopic(locale: Locale, question: string): TopicId | undefined {
  const judge = judges.get(locale) ?? openJudge(locale);
  judges.set(locale, judge);
  const forms = readForms(question);
  const texts = weighTexts(judge.texts, forms);
  const scored = TOPICS.map((id) => ({
    id,
    score: weigh(judge.meanings[id], forms, isAlmostOf) + (texts.get(id) ?? 0),
  }));
  const best = scored.toSorted((one, other) => other.score - one.score)[0];
  if (best === undefined || best.score < ENOUGH) return undefined;
  return weigh(judge.meanings.beyond, forms, isOf) < best.score ? best.id : undefined;
}

function openJudge(locale: Locale): Judge {
  const texts = new MiniSearch({
    fields: ['text'],
    tokenize: readForms,
    processTerm: (form) => (isEveryday(form) ? null : toStem(form)),
  });
  texts.addAll(
    listTutorials(locale).map(({ id, title, steps, note }) => ({ id, text: [title, ...steps, note].join(' ') })),
  );
  const entries = Object.entries(ROOTS[locale]).map(([id, lines]) => [id, lines.map(readLine)]);
  return { texts, meanings: Object.fromEntries(entries) as Judge['meanings'] };
}

function readLine([weight, ways]: Line): Meaning {
  return { weight, ways: ways.split('|').map((way) => way.split(' ').map(readRoot)) };
}

function readRoot(word: string): Root {
  const isWhole = word.endsWith('.');
  return { form: toForm(isWhole ? word.slice(0, -1) : word), isWhole };
}

type Fits = (form: string, root: Root) => boolean;

function weigh(meanings: Meaning[], forms: string[], fits: Fits): number {
  const isSaid = (root: Root): boolean => forms.some((form) => fits(form, root));
  const said = meanings.filter(({ ways }) => ways.some((way) => way.every(isSaid)));
  return said.reduce((sum, { weight }) => sum + weight, 0);
}

function isOf(form: string, { form: root, isWhole }: Root): boolean {
  return isWhole ? form === root : form.startsWith(root);
}

/** Only for what can be answered: a slip of the finger must not turn a question into one about something else. */
function isAlmostOf(form: string, root: Root): boolean {
  return isOf(form, root) || (!root.isWhole && root.form.length >= LONG_ROOT && isAlmost(form, root.form));
}

/** The form begins with the root, but for one letter changed, left out, doubled or swapped. */
function isAlmost(form: string, root: string): boolean {
  const at = root.split('').findIndex((letter, index) => form[index] !== letter);
  const rest = root.slice(at + 1);
  return (
    form.slice(at + 1).startsWith(rest) ||
    form.slice(at).startsWith(rest) ||
    form.slice(at + 1).startsWith(root.slice(at)) ||
    form.slice(at).startsWith((root[at + 1] ?? '') + (root[at] ?? '') + root.slice(at + 2))
  );
}

/** Each topic's share of what the question has in common with the tutorials. */
function weighTexts(texts: MiniSearch, forms: string[]): Map<TopicId, number> {
  const words = [...new Set(forms.filter((form) => !isEveryday(form)))];
  const hits = texts.search(words.join(' '));
  const sum = hits.reduce((all, { score }) => all + score, 0);
  const known = new Set(hits.flatMap(({ terms }) => terms));
  const coverage = words.length === 0 ? 0 : Math.min(1, known.size / words.length);
  return new Map(hits.map(({ id, score }) => [id as TopicId, (TEXT_WEIGHT * coverage * score) / sum]));
}
