/**
 * The search index, in segments of a few thousand messages: a new message changes only the last segment, and only
 * changed segments are stored again.
 *
 * The engine gets words and positions, but no keys and no database, so it may run in a worker.
 */
import type { ChatId } from '@dostar/protocol/ids';
import MiniSearch, { type Options, type Query } from 'minisearch';
import type { MessageKey } from '../storage/rows.ts';
import { foldWord, splitWords } from './fold-words.ts';

/** About 2.5 MB of index. Smaller segments are written faster, but each segment repeats the common words. */
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
  /** Loads stored segments, replacing those of the same number. */
  load(segments: StoredSegment[]): Promise<void>;
  /** Removes the messages of `keys`, then adds `messages`. Returns the changed segments. */
  change(keys: MessageKey[], messages: IndexedMessage[]): Promise<StoredSegment[]>;
  /** Messages that contain every word, or words that begin with it; newest first. */
  find(words: string[], options: { chat?: ChatId; limit: number }): Promise<Hit[]>;
}

const OPTIONS: Options<IndexedMessage> = {
  fields: ['text'],
  storeFields: ['chat', 'at'],
  tokenize: splitWords,
  processTerm: foldWord,
  // MiniSearch would vacuum only after the segment is stored, and only after many removals.
  autoVacuum: false,
};

interface Segment {
  index: MiniSearch<IndexedMessage>;
  /** How many messages were ever added: removing one makes no room. */
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
        // Discarding hides a message, but its words stay in the stored index. All in one batch: a pause would let other
        // calls in.
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
