import type { AccountAlerts } from '@dostar/client/account';
import type { AccountId } from '@dostar/protocol/ids';
import { useEffect, useState } from 'react';
import { loadAccountCare, loadUnlocking } from '../../core/session/load-account.ts';

/** A person who has just asked on another device looks at this one within seconds. */
const lookEvery = 10_000;

export interface Latest extends AccountAlerts {
  /** The account key is on this device. */
  isOpen: boolean;
}

async function fetchLatest(account: AccountId): Promise<Latest> {
  const [news, isOpen] = await Promise.all([
    loadAccountCare().then((care) => care.getAccountAlerts()),
    loadUnlocking().then((unlocking) => unlocking.isOpen(account)),
  ]);
  return { ...news, isOpen };
}

/** What there is to tell about the account; undefined until the server has been asked. */
export function useNews(account: AccountId): { latest: Latest | undefined; dismiss: () => void } {
  const [latest, setLatest] = useState<Latest>();

  useEffect(() => {
    const stop = new AbortController();

    async function look(): Promise<void> {
      if (document.hidden) return;
      // Away or signed out: whoever keeps the session says so.
      const found = await fetchLatest(account).catch(() => undefined);
      if (found && !stop.signal.aborted) setLatest(found);
    }

    void look();
    const timer = setInterval(() => void look(), lookEvery);
    document.addEventListener('visibilitychange', () => void look(), { signal: stop.signal });
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, [account]);

  async function dismiss(): Promise<void> {
    const upTo = Math.max(latest?.reset?.at ?? 0, ...(latest?.signIns.map(({ at }) => at) ?? []));
    setLatest((seen) => seen && { ...seen, signIns: [], reset: null });
    await (await loadAccountCare()).dismissAccountAlerts(upTo).catch(() => undefined);
  }

  return { latest, dismiss: () => void dismiss() };
}
