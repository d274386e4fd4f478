import type { Live } from '@dostar/client';
import { useState, useSyncExternalStore } from 'react';

/** The present result of a live query; missing until its first read is done. */
export function useLive<T>(live: Live<T>): T | undefined {
  return useSyncExternalStore(live.subscribe, live.getSnapshot, () => undefined);
}

/** Keeps the old query's result until the new query has its own, so that a growing list never goes blank. */
export function useSteadyLive<T>(live: Live<T>, subject: string): T | undefined {
  const now = useLive(live);
  const [shown, setShown] = useState<{ subject: string; value: T }>();
  if (now !== undefined && (shown?.value !== now || shown.subject !== subject)) setShown({ subject, value: now });
  if (now !== undefined) return now;
  return shown?.subject === subject ? shown.value : undefined;
}
