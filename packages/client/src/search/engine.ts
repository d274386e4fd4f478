/**
 * The search index, in pieces of a few thousand messages: a new message changes only the last piece, and only what has
 * changed is stored again.
 *
 * It knows words and places, and neither keys nor the database; it may live in a worker.
 */
import type { ChatId } from '@dostar/protocol/ids';
import MiniSearch, { type Options, type Query } from 'minisearch';
import type { MessageKey } from '../storage/rows.ts';
import { foldWord, splitWords } from './fold-words.ts';

/** About 2.5 MB of index. Smaller ones are written faster, but every piece holds the common words once more. */
const SEGMENT_SIZE = 10_000;

export interface IndexedMessage {
  id: MessageKey;
  chat: ChatId;
  at: number;
  text: string;
}

export interface StoredSegment {
  segment: number;
  count: number;
  json: string;
}

interface Hit {
  key: MessageKey;
  at: number;
}

export interface SearchEngine {
  /** Takes pieces as they were stored, in place of those of the same number. */
  load(segments: StoredSegment[]): Promise<void>;
  /** Forgets all of these, then adds what is given. Answers with the pieces that have changed. */
  change(keys: MessageKey[], messages: IndexedMessage[]): Promise<StoredSegment[]>;
  /** Messages that have every word, or words that begin so; the newest first. */
  find(words: string[], options: { chat?: ChatId; limit: number }): Promise<Hit[]>;
}

const OPTIONS: Options<IndexedMessage> = {
  fields: ['text'],
  storeFields: ['chat', 'at'],
  tokenize: splitWords,
  processTerm: foldWord,
  // Done by itself it comes later than storing, and only for many at once.
  autoVacuum: false,
};

interface Segment {
  index: MiniSearch<IndexedMessage>;
  /** How many it ever took: forgetting makes no room. */
  count: number;
}

export function createSearchEngine(): SearchEngine {
  const segments = new Map<number, Segment>();

  return {
    async load(stored) {
      for (const { segment, count, json } of stored) {
        segments.set(segment, { index: await MiniSearch.loadJSONAsync(json, OPTIONS), count });
      }
    },

    async change(keys, messages) {
      const changed = new Set<number>();
      for (const [number, { index }] of segments) {
        const here = keys.filter((key) => index.has(key));
        if (here.length === 0) continue;
        index.discardAll(here);
        // Discarded, a message is no longer found, but its words are still stored. All at once: pauses would let others in.
        await index.vacuum({ batchSize: Infinity });
        changed.add(number);
      }
      for (const message of messages) changed.add(add(message));
      return [...changed].map(store);
    },

    async find(words, { chat, limit }) {
      const hits: Hit[] = [];
      for (const { index } of segments.values()) {
        const found = index.search(toQuery(words), {
          prefix: true,
          tokenize: (term) => [term],
          processTerm: (term) => term,
          ...(chat !== undefined && { filter: (result) => result['chat'] === chat }),
        });
        hits.push(...found.map(({ id, at }) => ({ key: id as MessageKey, at: Number(at) })));
      }
      return hits.toSorted((one, other) => other.at - one.at).slice(0, limit);
    },
  };

  function add(message: IndexedMessage): number {
    const last = Math.max(0, ...segments.keys());
    const isFull = (segments.get(last)?.count ?? 0) >= SEGMENT_SIZE;
    const number = isFull ? last + 1 : last;
    const segment = segments.get(number) ?? { index: new MiniSearch(OPTIONS), count: 0 };
    segment.index.add(message);
    segment.count += 1;
    segments.set(number, segment);
    return number;
  }

  function store(segment: number): StoredSegment {
    const { index, count } = segments.get(segment) ?? { index: new MiniSearch(OPTIONS), count: 0 };
    return { segment, count, json: JSON.stringify(index) };
  }
}

function toQuery(words: string[]): Query {
  return { combineWith: 'AND', queries: words.map((word) => ({ combineWith: 'OR', queries: foldWord(word) })) };
}
