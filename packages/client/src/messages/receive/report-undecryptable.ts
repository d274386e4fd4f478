/**
 * Reports how many messages can't be decrypted, for the operator's metrics: a number, never which messages.
 *
 * A message counts once, if it is undecryptable at two checks in a row. Messages from before this client started do not
 * count: otherwise a browser that is still fetching its history would report all of it.
 */
import { MAX_UNDECRYPTABLE, reportUndecryptable } from '@dostar/protocol/contract/monitoring';
import type { Db } from '../../storage/open.ts';
import { messageKey } from '../../storage/rows.ts';
import type { ClientDeps } from '../../deps.ts';
import { callEndpoint } from '../../net/http.ts';
import { rowsWithTodo } from '../store.ts';

const POLL_INTERVAL_MS = 10 * 60_000;

type ReportDeps = Pick<ClientDeps, 'account' | 'baseUrl' | 'fetch' | 'clock' | 'log'>;

export async function reportUndecryptableMessages(db: Db, deps: ReportDeps, signal: AbortSignal): Promise<void> {
  const reported = new Set<string>(await listUndecryptable(db, 0).catch(failed));
  const startedAt = deps.clock.now();
  let before = new Set<string>();
  for (;;) {
    await deps.clock.sleep(POLL_INTERVAL_MS, signal);
    if (signal.aborted) return;
    try {
      const closed = await listUndecryptable(db, startedAt);
      const stuck = closed.filter((key) => before.has(key) && !reported.has(key));
      before = new Set(closed);
      if (stuck.length === 0) continue;
      await callEndpoint(deps, reportUndecryptable, { count: Math.min(stuck.length, MAX_UNDECRYPTABLE) }, signal);
      for (const key of stuck) reported.add(key);
    } catch (error) {
      failed(error);
    }
  }

  function failed(error: unknown): [] {
    if (!signal.aborted) deps.log('closed messages not told', { error });
    return [];
  }
}

async function listUndecryptable(db: Db, since: number): Promise<string[]> {
  const rows = await rowsWithTodo(db, 'wait')
    .filter(({ at }) => at >= since)
    .limit(5 * MAX_UNDECRYPTABLE)
    .toArray();
  return rows.map(messageKey);
}
