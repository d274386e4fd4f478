import { useEffect, useState } from 'react';
import { codeOf } from '../../core/lib/failure.ts';
import { loadRecovery } from '../../core/session/load-account.ts';

export type LinkState =
  | { is: 'looking' | 'incomplete' | 'used' | 'expired' | 'offline' }
  | { is: 'good'; token: string; address: string };

/** Maps the error of a link to its state on screen; undefined for other errors. */
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

/** State of the email link that opened this page. Its token is in the URL fragment, which browsers never send. */
export function useLinkToken(): [LinkState, (state: LinkState) => void] {
  const [state, setState] = useState<LinkState>({ is: 'looking' });

  useEffect(() => {
    const stop = new AbortController();
    // Opening another link in this tab changes only the fragment and does not reload the page.
    const checkLink = (): void => {
      void readLink().then((link) => stop.signal.aborted || setState(link));
    };
    checkLink();
    window.addEventListener('hashchange', checkLink, { signal: stop.signal });
    return () => stop.abort();
  }, []);

  return [state, setState];
}
