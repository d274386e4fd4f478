import { useSyncExternalStore } from 'react';

function watchNothing(): () => void {
  return () => undefined;
}

/** A value that stays the same while the page is open and that only the browser knows; static pages show `before`. */
export function useFixed<T>(read: () => T, before: NoInfer<T>): T {
  return useSyncExternalStore(watchNothing, read, () => before);
}
