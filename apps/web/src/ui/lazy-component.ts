import { type ComponentType, lazy, type LazyExoticComponent } from 'react';

const loaders = new Set<() => Promise<unknown>>();

/** A part of the page that is fetched when it is first wanted, or before that, while there is nothing else to do. */
export function lazyComponent<P extends object>(
  load: () => Promise<ComponentType<P>>,
): LazyExoticComponent<ComponentType<P>> {
  loaders.add(load);
  return lazy(async () => ({ default: await load() }));
}

/** Once the page can be used: a menu that is opened first must not wait for the network. */
export function prefetchWhenIdle(): void {
  const wait = globalThis.requestIdleCallback ?? ((done: () => void) => setTimeout(done, 2_000));
  const [next] = loaders;
  if (next === undefined) return;
  loaders.delete(next);
  // One after the other. What can't be fetched now is fetched when it is wanted.
  wait(() => void next().then(prefetchWhenIdle, () => {}));
}
