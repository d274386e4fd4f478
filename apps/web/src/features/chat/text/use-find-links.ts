import { useSyncExternalStore } from 'react';
import type { FindLinks } from './parse-text.ts';

/** Every address has a dot within, a sign between name and place, or two strokes. */
const mayHold = /\.\S|@|\/\//;

let found: FindLinks | undefined;
let isAsked = false;
const listeners = new Set<() => void>();
const findNone: FindLinks = () => [];

/** The finder of addresses; it comes with the first text that may hold one, and a chat does not wait for it. */
export function useFindLinks(text: string): FindLinks {
  return useSyncExternalStore(mayHold.test(text) ? subscribe : wantNothing, read, read);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (!isAsked) void load();
  return () => listeners.delete(listener);
}

async function load(): Promise<void> {
  isAsked = true;
  const { findLinks } = await import('./find-links.ts');
  found = findLinks;
  for (const tell of listeners) tell();
}

function wantNothing(): () => void {
  return () => {};
}

function read(): FindLinks {
  return found ?? findNone;
}
