import { useCallback, useEffect, useState } from 'react';
import { showFeedback } from './feedback.ts';

interface Loaded<T> {
  /** Undefined until it has been loaded. */
  value: T | undefined;
  /** For a change that the page has made itself. */
  setValue: (value: T) => void;
  reload: () => Promise<void>;
}

/**
 * Loads something from the server when a page opens. If that fails, the feedback says `failure` and the value stays as it
 * is. `load` must be the same function at every render.
 */
export function useLoaded<T>(load: () => Promise<T>, failure: string): Loaded<T> {
  const [value, setValue] = useState<T>();
  const reload = useCallback(
    () =>
      load().then(
        (loaded) => setValue(() => loaded),
        () => showFeedback('error', failure),
      ),
    [load, failure],
  );
  useEffect(() => void reload(), [reload]);
  return { value, setValue: (next) => setValue(() => next), reload };
}
