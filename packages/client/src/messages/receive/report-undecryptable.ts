/**
 * Counts the messages that stay closed, for whoever runs the server and can see nothing of it: a number, never which.
 *
 * One that is closed at two looks in a row counts, once. What lay here before this client began does not: a browser that
 * is still fetching its history would count all of it.
 */
import { MAX_UNDECRYPTABLE, reportUndecryptable } from '@dostar/protocol/contract/watching';
import type { Db } from '../../storage/open.ts';
import { messageKey } from '../../storage/rows.ts';
import type { ClientDeps } from '../../deps.ts';
import { callEndpoint } from '../../net/http.ts';
import { todoOf } from '../store.ts';

const LOOK_EVERY_MS = 10 * 60_000;

type TellDeps = Pick<ClientDeps, 'account' | 'baseUrl' | 'fetch' | 'clock' | 'log'>;

export async function countClosed(db: Db, deps: TellDeps, signal: AbortSignal): Promise<void> {
  const told = new Set<string>(await listClosed(db, 0).catch(failed));
  const startedAt = deps.clock.now();
  let before = new Set<string>();
  for (;;) {
    await deps.clock.sleep(LOOK_EVERY_MS, signal);
    if (signal.aborted) return;
    try {
      const closed = await listClosed(db, startedAt);
      const stuck = closed.filter((key) => before.has(key) && !told.has(key));
      before = new Set(closed);
      if (stuck.length === 0) continue;
      await callEndpoint(deps, reportUndecryptable, { count: Math.min(stuck.length, MAX_UNDECRYPTABLE) }, signal);
      for (const key of stuck) told.add(key);
    } catch (error) {
      failed(error);
    }
  }

  function failed(error: unknown): [] {
    if (!signal.aborted) deps.log('closed messages not told', { error });
    return [];
  }
}

async function listClosed(db: Db, since: number): Promise<string[]> {
  const rows = await todoOf(db, 'wait')
    .filter(({ at }) => at >= since)
    .limit(5 * MAX_UNDECRYPTABLE)
    .toArray();
  return rows.map(messageKey);
}
