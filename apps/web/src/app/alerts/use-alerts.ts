import type { AccountAlerts } from '@dostar/client/account';
import type { AccountId } from '@dostar/protocol/ids';
import { useEffect, useState } from 'react';
import { loadAccountSettings, loadUnlocking } from '../../core/session/load-account.ts';

/** Short, because a person who starts a device transfer on another device looks at this one within seconds. */
const pollIntervalMs = 10_000;

export interface AccountAlertState extends AccountAlerts {
  /** This device has the account key. */
  isOpen: boolean;
}

async function fetchAlerts(account: AccountId, signal: AbortSignal): Promise<AccountAlertState> {
  const [accountSettings, unlocking] = await Promise.all([loadAccountSettings(), loadUnlocking()]);
  // The account may have signed out meanwhile; reading the keys would create their database again.
  signal.throwIfAborted();
  const [alerts, isOpen] = await Promise.all([accountSettings.getAccountAlerts(), unlocking.isOpen(account)]);
  return { ...alerts, isOpen };
}

/** The alerts about the account; undefined until the server has answered. */
export function useAlerts(account: AccountId): { alerts: AccountAlertState | undefined; dismiss: () => void } {
  const [alerts, setAlerts] = useState<AccountAlertState>();

  useEffect(() => {
    const stop = new AbortController();

    async function poll(): Promise<void> {
      if (document.hidden) return;
      // Offline or signed out: the session code reports it.
      const fetched = await fetchAlerts(account, stop.signal).catch(() => undefined);
      if (fetched && !stop.signal.aborted) setAlerts(fetched);
    }

    void poll();
    const timer = setInterval(() => void poll(), pollIntervalMs);
    document.addEventListener('visibilitychange', () => void poll(), { signal: stop.signal });
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, [account]);

  async function dismiss(): Promise<void> {
    const upTo = Math.max(alerts?.reset?.at ?? 0, ...(alerts?.signIns.map(({ at }) => at) ?? []));
    setAlerts((seen) => seen && { ...seen, signIns: [], reset: null });
    await (await loadAccountSettings()).dismissAccountAlerts(upTo).catch(() => undefined);
  }

  return { alerts, dismiss: () => void dismiss() };
}
