import type { Live } from '@dostar/client';
import { useState, useSyncExternalStore } from 'react';

/** What a live query shows now; missing until its first read is done. */
export function useLive<T>(live: Live<T>): T | undefined {
  return useSyncExternalStore(live.subscribe, live.getSnapshot, () => undefined);
}

/** Keeps showing the old query's answer until a new one has its own: a list that grows never goes blank. */
export function useSteadyLive<T>(live: Live<T>, subject: string): T | undefined {
  const now = useLive(live);
  const [shown, setShown] = useState<{ subject: string; value: T }>();
  if (now !== undefined && (shown?.value !== now || shown.subject !== subject)) setShown({ subject, value: now });
  if (now !== undefined) return now;
  return shown?.subject === subject ? shown.value : undefined;
}
