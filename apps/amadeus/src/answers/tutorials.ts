/** The texts of the tutorials, as the page shows them. */
import type { Locale } from '@dostar/protocol/contract/accounts';
import en from '../../../web/src/locales/en/tutorials.json' with { type: 'json' };
import kz from '../../../web/src/locales/kz/tutorials.json' with { type: 'json' };
import ru from '../../../web/src/locales/ru/tutorials.json' with { type: 'json' };
import { type TopicId, TOPICS } from './keywords/keywords.ts';

export interface Tutorial {
  id: TopicId;
  title: string;
  steps: string[];
  note: string;
}

const CATALOGUES = { en, kz, ru };

/** In the order of the page. The steps have the catalogue's order, which a test compares with the page. */
export function listTutorials(locale: Locale): Tutorial[] {
  const { topics } = CATALOGUES[locale];
  return TOPICS.map((id) => {
    const { title, note, ...steps } = topics[id];
    return { id, title, note, steps: Object.values(steps) };
  });
}
