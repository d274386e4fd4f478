import { useCallback, useEffect, useState } from 'react';
import { showFeedback } from './feedback.ts';

interface Loaded<T> {
  /** Undefined until it has been loaded. */
  value: T | undefined;
  /** Sets the value after a change that the page has made itself. */
  setValue: (value: T) => void;
  reload: () => Promise<void>;
}

/**
 * Loads a value from the server when a page opens. If that fails, the page shows `failure` as feedback and keeps its
 * value. `load` must be the same function at every render.
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
