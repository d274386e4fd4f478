import { type Client, createClient } from '@dostar/client';
import { openClearKeyRing } from '@dostar/client/testing';
import { openKeyRing } from '../../core/key-ring.ts';
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
  let isOver = false;
  void handleLink();
  addEventListener('hashchange', handleLink);
  addEventListener('online', handleOnline);
  return () => {
    removeEventListener('hashchange', handleLink);
    removeEventListener('online', handleOnline);
    close();
    isOver = true;
  };

  async function handleLink(): Promise<void> {
    const walk = await takeWalk();
    close();
    if (isOver) return;
    open = walk && { walk, client: startClient(walk) };
    show(open ?? null);
  }

  function handleOnline(): void {
    void open?.client.nudge();
  }

  function close(): void {
    void open?.client[Symbol.asyncDispose]();
  }
}

function startClient({ me, isSealed }: Walk): Client {
  return createClient({
    account: me,
    openKeyRing: isSealed ? () => openKeyRing(me) : openClearKeyRing,
    // oxlint-disable-next-line no-console -- A page for developers: codes and counts, never words.
    log: (event, fields) => console.debug(event, fields),
  });
}
