import { useContext, useEffect, useId, useSyncExternalStore } from 'react';
import { type Blocker, UNSAFE_DataRouterContext as DataRouterContext } from 'react-router';

/**
 * Blocks navigation while `isDirty` until the user confirms. Uses the router's own API: its `useBlocker` hook would
 * become part of the router bundle that every page of the site loads.
 */
export function useLeaveConfirmation(isDirty: boolean): Blocker | undefined {
  const key = useId();
  const router = useContext(DataRouterContext)?.router;

  useEffect(() => {
    router?.getBlocker(key, ({ currentLocation, nextLocation }) => {
      return isDirty && currentLocation.pathname !== nextLocation.pathname;
    });
  }, [router, key, isDirty]);
  useEffect(() => () => router?.deleteBlocker(key), [router, key]);

  return useSyncExternalStore(
    (listener) => router?.subscribe(listener) ?? (() => {}),
    () => router?.state.blockers.get(key),
    () => undefined,
  );
}
