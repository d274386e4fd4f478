/**
 * Who was here when.
 *
 * A heartbeat is remembered in the process and written once a minute, a thousand rows a statement; those who watch hear
 * of it at once. Lost heartbeats cost a minute of "last seen".
 */
import type { AccountId } from '@dostar/protocol/ids';
import type { Ephemeral } from '@dostar/protocol/realtime';
import type { Context } from '../../context.ts';
import { every } from '../../platform/every.ts';
import { listContactsOf } from '../contacts/service.ts';
import { listPresence, putPresence } from './store.ts';
import type { Seen } from './store.ts';

const FLUSH_EVERY_MS = 60_000;
const ROWS_PER_STATEMENT = 1_000;

type PresenceEvent = Extract<Ephemeral, { kind: 'presence' }>;
type Watcher = (event: PresenceEvent) => void;

interface Watched {
  watchers: Set<Watcher>;
  stop: Promise<() => void>;
}

export class Presence implements AsyncDisposable {
  readonly #ctx: Context;
  readonly #flushing: AsyncDisposable;
  #seen = new Map<AccountId, number>();
  #watched = new Map<AccountId, Watched>();

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#flushing = every(FLUSH_EVERY_MS, ctx.log, 'write presence', () => this.flush());
  }

  touch(account: AccountId): void {
    const now = this.#ctx.clock.now();
    this.#seen.set(account, now);
    this.#ctx.bus.publish(subject(account), String(now));
  }

  /** Tells the watcher what is known now and what changes later, of accounts that accepted `viewer` (SPEC R6). */
  async watch(viewer: AccountId, accounts: AccountId[], watcher: Watcher): Promise<() => void> {
    const allowed = await listContactsOf(this.#ctx, viewer, accounts);
    const stops = await Promise.all(allowed.map((account) => this.#listen(account, watcher)));
    for (const [shard, owners] of this.#ctx.shards.group(allowed, (account) => account)) {
      const rows = await shard.query((db) => listPresence(db, owners));
      const byOwner = new Map(rows.map((row) => [row.owner, row.lastOnline]));
      for (const account of owners) {
        const lastOnline = this.#seen.get(account) ?? byOwner.get(account) ?? null;
        watcher({ kind: 'presence', account, lastOnline });
      }
    }
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** However many sockets watch an account, the process hears of it once. */
  async #listen(account: AccountId, watcher: Watcher): Promise<() => void> {
    const watched = this.#watched.get(account) ?? this.#open(account);
    watched.watchers.add(watcher);
    await watched.stop;
    return () => {
      watched.watchers.delete(watcher);
      if (watched.watchers.size > 0) return;
      this.#watched.delete(account);
      void watched.stop.then((stop) => stop());
    };
  }

  #open(account: AccountId): Watched {
    const watchers = new Set<Watcher>();
    const stop = this.#ctx.bus.subscribe(subject(account), (payload) => {
      for (const watcher of watchers) watcher({ kind: 'presence', account, lastOnline: Number(payload) });
    });
    const watched = { watchers, stop };
    this.#watched.set(account, watched);
    return watched;
  }

  async flush(): Promise<void> {
    const seen: Seen[] = [...this.#seen].map(([owner, lastOnline]) => ({ owner, lastOnline }));
    this.#seen = new Map();
    for (const [shard, rows] of this.#ctx.shards.group(seen, (row) => row.owner)) {
      for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
        await shard.transact((db) => putPresence(db, rows.slice(from, from + ROWS_PER_STATEMENT)));
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#flushing[Symbol.asyncDispose]();
    await this.flush();
  }
}

function subject(account: AccountId): string {
  return `presence.${account}`;
}
