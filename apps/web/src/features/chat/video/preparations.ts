/**
 * Films that are being prepared in this tab, for the tray above the composer. They are not kept on this device: what
 * was not handed to the uploads when the tab closes has to be attached again, as with photos.
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
  /** There once it has failed: another way to send the film, if the person wants it. */
  offer?: Offer;
}

interface Offer {
  kind: 'original' | 'unchanged';
  accept(): void;
}

export interface PreparationTask {
  signal: AbortSignal;
  onProgress(share: number): void;
  /** False if the film has been prepared: then something else went wrong. */
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
  // The browser asks before it closes a tab that would lose a film.
  if (preparations.length > 0) addEventListener('beforeunload', askToStay);
  else removeEventListener('beforeunload', askToStay);
}

function askToStay(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
