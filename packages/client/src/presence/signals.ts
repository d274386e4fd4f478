/**
 * Presence signals of any tab: which users it watches, whether it has the focus, and that the person types. The leading
 * tab reads them from the database and sends them to the server (presence-session.ts).
 */
import type { AccountId } from '@dostar/protocol/ids';
import { liveQuery } from 'dexie';
import { createWakeup } from '../lib/wakeup.ts';
import type { Db } from '../storage/open.ts';
import type { ClientDeps } from '../deps.ts';
import { newMessageId } from '../messages/send/message-id.ts';
import { findContact } from '../contacts/store.ts';

/** After this time the watch of a killed tab expires. */
const WATCH_TTL_MS = 120_000;
const WATCH_RENEWAL_MS = 50_000;
/** Typing is shown a little longer than the interval at which it is sent. */
export const TYPING_TTL_MS = 6_000;
const TYPING_INTERVAL_MS = 3_000;
/** The interval between two deletions of expired rows, so that rows that expire together are deleted together. */
const MIN_SWEEP_INTERVAL_MS = 100;

export function watchPresence(db: Db, { clock, random, log }: ClientDeps, accounts: AccountId[]): () => void {
  const key = `watch/${newMessageId(clock.now(), random)}` as const;
  const over = new AbortController();
  void keepWatching().catch((error: unknown) => log('watch not kept', { error }));
  return () => over.abort();

  async function keepWatching(): Promise<void> {
    while (!over.signal.aborted) {
      await db.signals.put({ key, kind: 'watch', accounts, until: clock.now() + WATCH_TTL_MS });
      await clock.sleep(WATCH_RENEWAL_MS, over.signal);
    }
    await db.signals.delete(key);
  }
}

/** After this time the focus of a killed tab expires; the server waits longer (SPEC N5). */
const FOCUS_TTL_MS = 60_000;
const FOCUS_RENEWAL_MS = 25_000;

/** This tab counts as focused until the returned function is called. */
export function holdFocus(db: Db, { clock, random, log }: ClientDeps): () => void {
  const key = `focus/${newMessageId(clock.now(), random)}` as const;
  const over = new AbortController();
  void keepFocus().catch((error: unknown) => log('focus not kept', { error }));
  return () => over.abort();

  async function keepFocus(): Promise<void> {
    while (!over.signal.aborted) {
      await db.signals.put({ key, kind: 'focus', until: clock.now() + FOCUS_TTL_MS });
      await clock.sleep(FOCUS_RENEWAL_MS, over.signal);
    }
    await db.signals.delete(key);
  }
}

/** Sends at most one signal every few seconds, and none to a contact for whom typing is turned off. */
export async function sendTyping(db: Db, { account, clock }: ClientDeps, to: AccountId): Promise<void> {
  const at = clock.now();
  const tables = [db.signals, db.registers, db.outbox, db.users];
  await db.transaction('rw', tables, async () => {
    const last = await db.signals.get(`say/${to}`);
    if (last?.kind === 'say' && at - last.at < TYPING_INTERVAL_MS) return;
    const contact = await findContact(db, account, to);
    if (contact?.state !== 'accepted' || !contact.typing) return;
    await db.signals.put({ key: `say/${to}`, kind: 'say', to, at });
  });
}

/** Runs while connected: deletes expired rows, such as those of killed tabs. Never throws. */
export async function sweepSignals(db: Db, { clock, log }: ClientDeps, signal: AbortSignal): Promise<void> {
  const onError = (error: unknown): void => log('signals not swept', { error });
  const wakeup = createWakeup(clock, signal);
  let next: number | undefined;
  const soonest = liveQuery(() => findSoonest(db)).subscribe({
    next(until: number | undefined) {
      next = until;
      wakeup.trigger();
    },
    error: onError,
  });
  while (!signal.aborted) {
    const seen = wakeup.generation();
    await sweep(db, clock.now()).catch(onError);
    await wakeup.wait(seen, next === undefined ? undefined : Math.max(next - clock.now(), MIN_SWEEP_INTERVAL_MS));
  }
  soonest.unsubscribe();
}

async function findSoonest(db: Db): Promise<number | undefined> {
  const rows = await db.signals.where('key').startsWithAnyOf('typing/', 'watch/', 'focus/').toArray();
  const times = rows.flatMap((row) => ('until' in row ? [row.until] : []));
  return times.length === 0 ? undefined : Math.min(...times);
}

async function sweep(db: Db, now: number): Promise<void> {
  await db.signals
    .where('key')
    .startsWithAnyOf('typing/', 'watch/', 'focus/')
    .filter((row) => 'until' in row && row.until <= now)
    .delete();
}
