/**
 * Videos that this tab prepares, shown above the composer. They are kept in memory only: if the tab closes before the
 * upload starts, the user must attach the video again, as with photos.
 */
import type { AccountId } from '@dostar/protocol/ids';
import { createStore, useStore } from '../../../core/lib/store.ts';

export interface Preparation {
  id: string;
  to: AccountId;
  name: string;
  /** 0 to 1. */
  progress: number;
  cancel(): void;
  /** Another way to send the video, set when the preparation has failed. */
  offer?: Offer;
}

interface Offer {
  kind: 'original' | 'unchanged';
  accept(): void;
}

export interface PreparationTask {
  signal: AbortSignal;
  onProgress(share: number): void;
  /** Offers another way to send. Returns false if the preparation was already finished, so another step failed. */
  fail(offer: Offer): boolean;
  finish(): void;
}

const none: readonly Preparation[] = [];
const store = createStore(none);

export function usePreparations(to: AccountId): readonly Preparation[] {
  return useStore(store, none).filter((one) => one.to === to);
}

export function startPreparation(to: AccountId, name: string): PreparationTask {
  const id = crypto.randomUUID();
  const cancelled = new AbortController();
  const finish = () => write(store.read().filter((one) => one.id !== id));
  const change = (changed: Partial<Preparation>) =>
    write(store.read().map((one) => (one.id === id ? { ...one, ...changed } : one)));
  const cancel = () => {
    cancelled.abort();
    finish();
  };
  write([...store.read(), { id, to, name, progress: 0, cancel }]);
  return {
    signal: cancelled.signal,
    onProgress: (progress) => change({ progress }),
    fail({ kind, accept }) {
      change({
        offer: {
          kind,
          accept() {
            finish();
            accept();
          },
        },
      });
      return store.read().some((one) => one.id === id);
    },
    finish,
  };
}

function write(preparations: readonly Preparation[]): void {
  store.write(preparations);
  // The browser asks before it closes a tab that would lose a video.
  if (preparations.length > 0) addEventListener('beforeunload', askToStay);
  else removeEventListener('beforeunload', askToStay);
}

function askToStay(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
