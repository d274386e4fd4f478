/** Presence over the socket: sends which users are watched and that the person types, and stores others' presence. */
import type { AccountId } from '@dostar/protocol/ids';
import type { Ephemeral } from '@dostar/protocol/realtime';
import { liveQuery } from 'dexie';
import type { Db } from '../storage/open.ts';
import type { SignalRow } from '../storage/rows.ts';
import type { ClientDeps } from '../deps.ts';
import type { Received, FrameSocket } from '../net/socket.ts';
import { sweepSignals, TYPING_TTL_MS } from './signals.ts';
import { listWatched } from './store.ts';

export interface PresenceSession {
  /** Call it once the connection is established. */
  start(): void;
  /** A message from a user ends their typing. */
  handleFrames(frames: Received[]): Promise<void>;
}

export function startPresenceSession(
  db: Db,
  deps: ClientDeps,
  frameSocket: FrameSocket,
  signal: AbortSignal,
): PresenceSession {
  const { clock, log } = deps;
  /** In memory, so that a message of an account that was not typing needs no database access. */
  const typing = new Set<string>();
  const onError = (error: unknown): void => log('presence not read', { error });

  return {
    start() {
      let watched = '';
      const watchChanges = liveQuery(() => listWatched(db)).subscribe({
        next(accounts: AccountId[]) {
          if (accounts.join() === watched) return;
          watched = accounts.join();
          frameSocket.send({ t: 'watch', accounts });
        },
        error: onError,
      });
      // Sent again with each renewal by the tab: the server ends the focus if no renewal arrives for long (SPEC N5).
      let isFocused = false;
      const focusChanges = liveQuery(() => db.signals.where('key').startsWith('focus/').toArray()).subscribe({
        next(rows: SignalRow[]) {
          const was = isFocused;
          isFocused = rows.length > 0;
          if (isFocused || was) frameSocket.send({ t: 'focus', isFocused });
        },
        error: onError,
      });
      const startedAt = clock.now();
      const sentAt = new Map<AccountId, number>();
      const typingChanges = liveQuery(() => db.signals.where('key').startsWith('say/').toArray()).subscribe({
        next(rows: SignalRow[]) {
          for (const row of rows) {
            if (row.kind !== 'say' || row.at < startedAt || row.at <= (sentAt.get(row.to) ?? 0)) continue;
            sentAt.set(row.to, row.at);
            frameSocket.send({ t: 'typing', to: row.to });
          }
        },
        error: onError,
      });
      signal.addEventListener('abort', () => {
        watchChanges.unsubscribe();
        focusChanges.unsubscribe();
        typingChanges.unsubscribe();
      });
      void sweepSignals(db, deps, signal);
    },
    async handleFrames(frames) {
      const rows = frames.flatMap((frame) => (frame.t === 'ephemeral' ? [toRow(frame.event)] : []));
      for (const row of rows) if (row.kind === 'typing') typing.add(row.key);
      if (rows.length > 0) await db.signals.bulkPut(rows);
      const written = frames
        .flatMap((frame) => (frame.t === 'entry' ? [`typing/${frame.entry.chat}/${frame.entry.sender}`] : []))
        .filter((key) => typing.delete(key));
      if (written.length > 0) await db.signals.bulkDelete(written);
    },
  };

  function toRow(event: Ephemeral): SignalRow {
    switch (event.kind) {
      case 'presence':
        return { key: `presence/${event.account}`, ...event };
      case 'typing': {
        const { chat, from } = event;
        return { key: `typing/${chat}/${from}`, kind: 'typing', chat, from, until: clock.now() + TYPING_TTL_MS };
      }
    }
  }
}
