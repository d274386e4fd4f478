import { useSyncExternalStore } from 'react';
import type { FindLinks, FoundLink } from './parse-text.ts';

/** Matches every text with a possible link: a dot inside a word, an @, or two slashes. */
const mayHold = /\.\S|@|\/\//;
const words = /\S+/g;

let finder: Promise<void> | undefined;
let found: FindLinks | undefined;
const listeners = new Set<() => void>();

/** Returns the link finder, which loads with the first text that may contain a link. The chat renders without it. */
export function useFindLinks(text: string): FindLinks {
  return useSyncExternalStore(mayHold.test(text) ? subscribe : wantNothing, read, read);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  finder ??= load();
  return () => listeners.delete(listener);
}

async function load(): Promise<void> {
  try {
    found = (await import('./find-links.ts')).findLinks;
    for (const tell of listeners) tell();
  } catch {
    // Offline: the next text that may contain a link tries again.
    finder = undefined;
  }
}

function wantNothing(): () => void {
  return () => {};
}

function read(): FindLinks {
  return found ?? guessLinks;
}

/** Keeps words that may be links unformatted, so that the line does not change its width when the finder is loaded. */
function guessLinks(text: string): FoundLink[] {
  return [...text.matchAll(words)]
    .filter(([word]) => mayHold.test(word))
    .map(({ 0: word, index }) => ({ index, lastIndex: index + word.length, text: word }));
}
