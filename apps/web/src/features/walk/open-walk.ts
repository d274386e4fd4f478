import { type Client, createClient } from '@dostar/client';
import { takeWalk, type Walk } from './walk-link.ts';

export interface OpenWalk {
  walk: Walk;
  client: Client;
}

/**
 * Keeps `show` informed of the account this tab speaks for: the one it was opened with, and another when a new link is
 * put into its address bar. `null`: there is no link. Returns how to stop.
 */
export function followWalk(show: (open: OpenWalk | null) => void): () => void {
  let open: OpenWalk | undefined;
  handleLink();
  addEventListener('hashchange', handleLink);
  addEventListener('online', handleOnline);
  return () => {
    removeEventListener('hashchange', handleLink);
    removeEventListener('online', handleOnline);
    close();
  };

  function handleLink(): void {
    const walk = takeWalk();
    close();
    open = walk && { walk, client: createClient({ account: walk.me }) };
    show(open ?? null);
  }

  function handleOnline(): void {
    void open?.client.nudge();
  }

  function close(): void {
    void open?.client[Symbol.asyncDispose]();
  }
}
