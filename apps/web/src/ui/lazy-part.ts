import { type ComponentType, lazy, type LazyExoticComponent } from 'react';

const parts = new Set<() => Promise<unknown>>();

/** A part of the page that is fetched when it is first wanted, or before that, while there is nothing else to do. */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
): LazyExoticComponent<ComponentType<P>> {
  parts.add(load);
  return lazy(async () => ({ default: await load() }));
}

/** Once somebody can read and write: a menu that is opened first must not wait for the network. */
export function fetchPartsWhenIdle(): void {
  const wait = globalThis.requestIdleCallback ?? ((done: () => void) => setTimeout(done, 2_000));
  const [next] = parts;
  if (next === undefined) return;
  parts.delete(next);
  // One after the other. What can't be fetched now is fetched when it is wanted.
  wait(() => void next().then(fetchPartsWhenIdle, () => {}));
}
