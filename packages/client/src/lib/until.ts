import type { Live } from './live.ts';

/** Resolves with the first snapshot that satisfies the condition. */
export function until<T>(live: Live<T>, isRight: (value: T) => boolean): Promise<T> {
  return new Promise((resolve) => {
    const stop = live.subscribe(look);
    look();

    function look(): void {
      const value = live.getSnapshot();
      if (value === undefined || !isRight(value)) return;
      queueMicrotask(() => stop());
      resolve(value);
    }
  });
}
