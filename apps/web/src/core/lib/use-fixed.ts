import { useSyncExternalStore } from 'react';

function watchNothing(): () => void {
  return () => undefined;
}

/** What is the same as long as a page is open and only its browser knows; `before` stands in the static page. */
export function useFixed<T>(read: () => T, before: NoInfer<T>): T {
  return useSyncExternalStore(watchNothing, read, () => before);
}
