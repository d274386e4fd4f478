import { useContext, useEffect, useId, useSyncExternalStore } from 'react';
import { type Blocker, UNSAFE_DataRouterContext as DataRouterContext } from 'react-router';

/**
 * Holds back a way to another page while `isDirty`, until the user decides. The router's own words: its hook for them
 * would be carried by every page of the site, since all load the one router.
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
