import { useEffect, useState } from 'react';
import { codeOf } from '../../core/lib/failure.ts';
import { loadRecovery } from '../../core/session/load-account.ts';

export type LinkState =
  | { is: 'looking' | 'incomplete' | 'used' | 'expired' | 'offline' }
  | { is: 'good'; token: string; address: string };

/** What the failure of a link says on screen; undefined for other failures. */
export function linkProblemOf(error: unknown): 'used' | 'expired' | undefined {
  const code = codeOf(error);
  if (code === 'link_used') return 'used';
  return code === 'link_expired' ? 'expired' : undefined;
}

async function readLink(): Promise<LinkState> {
  const token = window.location.hash.slice(1);
  if (!/^[\w-]{43}$/.test(token)) return { is: 'incomplete' };
  try {
    const { address } = await (await loadRecovery()).look(token);
    return { is: 'good', token, address };
  } catch (error) {
    return { is: linkProblemOf(error) ?? 'offline' };
  }
}

/** The link this page was opened with. Its token stands behind `#`, where no server and no log sees it. */
export function useLinkToken(): [LinkState, (state: LinkState) => void] {
  const [state, setState] = useState<LinkState>({ is: 'looking' });

  useEffect(() => {
    const stop = new AbortController();
    // Another link opened in this tab changes only what stands behind `#`, and the page stays.
    const checkLink = (): void => {
      void readLink().then((link) => stop.signal.aborted || setState(link));
    };
    checkLink();
    window.addEventListener('hashchange', checkLink, { signal: stop.signal });
    return () => stop.abort();
  }, []);

  return [state, setState];
}
