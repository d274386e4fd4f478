import { type ComponentType, lazy, type LazyExoticComponent } from 'react';

const loaders = new Set<() => Promise<unknown>>();

/** A component that is loaded when it is first rendered, or earlier while the browser is idle. */
export function lazyComponent<P extends object>(
  load: () => Promise<ComponentType<P>>,
): LazyExoticComponent<ComponentType<P>> {
  loaders.add(load);
  return lazy(async () => ({ default: await load() }));
}

/** Call it once the page is usable: a menu that is opened first must not wait for the network. */
export function prefetchWhenIdle(): void {
  const wait = globalThis.requestIdleCallback ?? ((done: () => void) => setTimeout(done, 2_000));
  const [next] = loaders;
  if (next === undefined) return;
  loaders.delete(next);
  // Loads one after the other. After a failure the rest is loaded when it is rendered.
  wait(() => void next().then(prefetchWhenIdle, () => {}));
}
