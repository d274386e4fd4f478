import type { Live } from '@dostar/client';
import { useSyncExternalStore } from 'react';

/** What a live query shows now; missing until its first read is done. */
export function useLive<T>(live: Live<T>): T | undefined {
  return useSyncExternalStore(live.subscribe, live.getSnapshot, () => undefined);
}
