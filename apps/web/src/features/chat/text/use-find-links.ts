import { useSyncExternalStore } from 'react';
import type { FindLinks, FoundLink } from './parse-text.ts';

/** Every address has a dot within, a sign between name and place, or two strokes. */
const mayHold = /\.\S|@|\/\//;
const words = /\S+/g;

let finder: Promise<void> | undefined;
let found: FindLinks | undefined;
const listeners = new Set<() => void>();

/** The finder of addresses; it comes with the first text that may hold one, and a chat does not wait for it. */
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
    // The network is down: the next text that may hold an address asks again.
    finder = undefined;
  }
}

function wantNothing(): () => void {
  return () => {};
}

function read(): FindLinks {
  return found ?? guessLinks;
}

/** Words that may turn out to be addresses stay as they were typed: a line is not to change its width later. */
function guessLinks(text: string): FoundLink[] {
  return [...text.matchAll(words)]
    .filter(([word]) => mayHold.test(word))
    .map(({ 0: word, index }) => ({ index, lastIndex: index + word.length, text: word }));
}
