import { useLayoutEffect, useRef, useState } from 'react';

type Handlers = Record<string, (...args: never[]) => void>;

/**
 * Handlers with a stable identity that call those of the latest render. Without them each keystroke in the composer
 * would re-render every visible message.
 */
export function useStableHandlers<T extends Handlers>(handlers: T): T {
  const latest = useRef(handlers);
  useLayoutEffect(() => {
    latest.current = handlers;
  });
  const [stable] = useState(
    () =>
      Object.fromEntries(
        Object.keys(handlers).map((name) => [name, (...args: never[]) => latest.current[name]?.(...args)]),
      ) as T,
  );
  return stable;
}
