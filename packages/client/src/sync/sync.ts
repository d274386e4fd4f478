/**
 * Keeps this device up to date: one connection after another, for as long as the client lives.
 *
 * Elsewhere: one connection (connection.ts), the meaning of frames (frames.ts), how they are stored
 * (messages/receive/receive.ts).
 */
import { BYE_REASONS } from '@dostar/protocol/realtime';
import { type Backoff, backoffMs, randomFraction } from '../lib/backoff.ts';
import type { Wakeup } from '../lib/wakeup.ts';
import { runConnection, type ConnectionDeps } from './connection.ts';
import { writeConnection } from '../storage/meta.ts';
import type { Db } from '../storage/open.ts';
import type { ConnectionState } from '../storage/rows.ts';
import type { Ending } from './frames.ts';

/** Used after a lost connection, and after the server asked to come back later. */
const FAST_BACKOFF: Backoff = { firstMs: 500, capMs: 60_000 };
const SLOW_BACKOFF: Backoff = { firstMs: 10_000, capMs: 120_000 };

/** After this time online, an outage is not part of a reconnect storm: the backoff starts at its first step again. */
const STABLE_AFTER_MS = 10_000;

interface SyncDeps extends ConnectionDeps {
  /** Called when connected and caught up, at each connection. */
  onOnline: () => void;
}

/** `nudge` ends a wait early. */
export async function runSync(db: Db, deps: SyncDeps, nudge: Wakeup, signal: AbortSignal): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    const seen = nudge.generation();
    await show('connecting');
    // An aborted socket would get no close event and stay open.
    if (signal.aborted) return;
    let onlineAt: number | undefined;
    const ending = await runConnection(db, deps, signal, () => {
      onlineAt ??= deps.clock.now();
      deps.onOnline();
    }).catch((error: unknown): Ending => {
      // The disk is full or the database closed: the cursor has not moved, so a retry loses nothing.
      deps.log('sync failed', { error });
      return { t: 'lost' };
    });
    if (signal.aborted) return;
    deps.log('connection ended', ending);
    if (onlineAt !== undefined && deps.clock.now() - onlineAt >= STABLE_AFTER_MS) failures = 0;
    const next = planReconnect(ending, failures, randomFraction(deps.random));
    await show(next.state);
    failures += 1;
    if (next.isFirm) await deps.clock.sleep(next.waitMs, signal);
    else await nudge.wait(seen, next.waitMs);
  }

  async function show(state: ConnectionState): Promise<void> {
    await writeConnection(db, state).catch((error: unknown) => deps.log('connection not shown', { error }));
  }
}

type Plan =
  /** The server named the time, so a nudge does not end the wait (SPEC B3). */
  | { state: 'waiting'; isFirm: true; waitMs: number }
  /** The wait ends after `waitMs` or a nudge; without `waitMs` only a nudge ends it. */
  | { state: ConnectionState; isFirm: false; waitMs?: number };

export function planReconnect(ending: Ending, failures: number, fraction: number): Plan {
  if (ending.t !== 'bye') {
    const backoff = ending.t === 'protocol' ? SLOW_BACKOFF : FAST_BACKOFF;
    return { state: 'waiting', isFirm: false, waitMs: backoffMs(backoff, failures, fraction) };
  }
  const { reconnect } = BYE_REASONS[ending.reason];
  switch (reconnect) {
    case 'soon':
    case 'later': {
      const wait = backoffMs(reconnect === 'soon' ? FAST_BACKOFF : SLOW_BACKOFF, failures, fraction);
      return { state: 'waiting', isFirm: true, waitMs: Math.max(ending.afterMs, wait) };
    }
    case 'after_reload':
      return { state: 'outdated', isFirm: false };
    case 'never':
      return { state: 'signed_out', isFirm: false };
  }
}
