/**
 * A live read of the local database, in the shape of React's `useSyncExternalStore`; a test reads it the same way.
 *
 * A snapshot stays the same object until its content changes, and so does each of its lines, so a screen renders only
 * the lines that changed.
 */
import { liveQuery, type Subscription } from 'dexie';
import { createListeners } from './listeners.ts';
import { keepUnchanged } from './structural-sharing.ts';

export interface Live<T> {
  /** Missing until the first read is done. */
  getSnapshot(): T | undefined;
  /** Returns a function that unsubscribes. Reading begins with the first listener and ends with the last. */
  subscribe(listener: () => void): () => void;
}

/** This tab's writes to the database that may be shown before they are read back. */
interface PendingWrites {
  /** How many writes have succeeded so far. */
  countSaved(): number;
  subscribe(listener: () => void): () => void;
}

export interface Query<Raw, T> {
  /** Runs in one transaction; the query reads again when a row that it read changes. */
  read(): Promise<Raw>;
  /** Runs after the transaction, because decryption would end it. */
  finish(raw: Raw): Promise<T>;
  /** Shows pending writes together with what was read. */
  overlay?: {
    writes: PendingWrites;
    /** `known`: how many writes had succeeded when the read began. */
    add(shown: T, known: number): T;
  };
  /** A moved window is another query: the lines that it shares with the former window stay the same objects. */
  baseline?: { shown?: T };
}

const RESUBSCRIBE_DELAY_MS = 1_000;

interface LiveEvents {
  onStart(): void;
  onStop(): void;
  onError(error: unknown): void;
}

export function createLive<Raw, T>(
  { read, finish, overlay, baseline = {} }: Query<Raw, T>,
  events: LiveEvents,
): Live<T> {
  const { onStart, onStop, onError } = events;
  const listeners = createListeners<void>();
  let snapshot: T | undefined;
  let stored: { value: T; known: number } | undefined;
  let subscription: Subscription | undefined;
  let stopWrites: (() => void) | undefined;
  let latest = 0;
  /** Writes that had succeeded when the newest read began; results of older reads are dropped. */
  let known = 0;

  async function take(raw: Raw, asOf: number): Promise<void> {
    latest += 1;
    const mine = latest;
    try {
      const next = await finish(raw);
      // A slower finish of an older read must not undo a newer one.
      if (mine !== latest || subscription === undefined) return;
      stored = { value: next, known: asOf };
      show();
    } catch (error) {
      onError(error);
    }
  }

  /** A failed subscription never emits again, so it is replaced. */
  function watch(): Subscription {
    return liveQuery(overlay === undefined ? read : readCountingWrites).subscribe({
      next: (raw) => void take(raw, known),
      error(error: unknown) {
        onError(error);
        setTimeout(() => {
          if (subscription !== undefined) subscription = watch();
        }, RESUBSCRIBE_DELAY_MS);
      },
    });
  }

  /** Only for reads that are one transaction: Dexie does not watch what an async function reads after its first await. */
  function readCountingWrites(): Promise<Raw> {
    known = overlay!.writes.countSaved();
    return read();
  }

  function show(): void {
    if (stored === undefined) return;
    const next = overlay === undefined ? stored.value : overlay.add(stored.value, stored.known);
    const shared = keepUnchanged(snapshot ?? baseline.shown, next);
    if (shared === snapshot) return;
    snapshot = shared;
    baseline.shown = shared;
    listeners.tell();
  }

  return {
    getSnapshot: () => snapshot,
    subscribe(listener) {
      const remove = listeners.add(listener);
      if (subscription === undefined) {
        onStart();
        subscription = watch();
        stopWrites = overlay?.writes.subscribe(show);
      }
      return () => {
        remove();
        if (!listeners.isEmpty()) return;
        subscription?.unsubscribe();
        subscription = undefined;
        stopWrites?.();
        onStop();
      };
    },
  };
}
