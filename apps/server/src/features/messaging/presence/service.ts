/**
 * Last seen, and who is online.
 *
 * A heartbeat is remembered in the process and written once a minute, a thousand rows a statement; watchers get it
 * at once. Lost heartbeats cost a minute of "last seen".
 */
import type { AccountId } from '@dostar/protocol/ids';
import type { Ephemeral } from '@dostar/protocol/realtime';
import type { Context } from '../../../context.ts';
import { runPeriodically } from '../../../platform/concurrency/run-periodically.ts';
import { listShowingLastSeen } from '../../people/contacts/service.ts';
import { visibilitySubject } from '../../people/privacy/service.ts';
import { listPresence, putPresence } from './store.ts';
import type { PresenceRow } from './store.ts';

export { queryFocus, serveFocusQueries } from './focus.ts';

const FLUSH_EVERY_MS = 60_000;
const ROWS_PER_STATEMENT = 1_000;

type PresenceEvent = Extract<Ephemeral, { kind: 'presence' }>;
type Watcher = (event: PresenceEvent) => void;

interface Watched {
  watchers: Set<(heard: LastOnline) => void>;
  stop: Promise<() => void>;
  /** The last heartbeat heard, which may be newer than what is written. */
  heardAt?: number;
}

interface Listening {
  begun: Promise<unknown>;
  /** To be called once. */
  stop: () => void;
}

/** A heartbeat, or a possible change of who may see the account. */
type LastOnline = { kind: 'seen'; at: number } | { kind: 'visibility' };

export class Presence implements AsyncDisposable {
  readonly #ctx: Context;
  readonly #flushing: AsyncDisposable;
  #seen = new Map<AccountId, number>();
  #watched = new Map<AccountId, Watched>();

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#flushing = runPeriodically(FLUSH_EVERY_MS, ctx.log, 'write presence', () => this.flush());
  }

  touch(account: AccountId): void {
    const now = this.#ctx.clock.now();
    this.#seen.set(account, now);
    this.#ctx.bus.publish(subject(account), String(now));
  }

  /**
   * Tells the watcher what is known now and what changes later, of accounts that show it to `viewer` (SPEC R6). A
   * changed setting counts at once.
   */
  async watch(viewer: AccountId, accounts: AccountId[], watcher: Watcher): Promise<() => void> {
    const shown = new Set<AccountId>();
    const look = async (asked: AccountId[]): Promise<void> => {
      const visible = new Set(await listShowingLastSeen(this.#ctx, viewer, asked));
      const known = await listLastSeen(this.#ctx, [...visible]);
      for (const account of asked) {
        if (visible.has(account)) {
          shown.add(account);
          watcher({ kind: 'presence', account, lastOnline: this.#lastOf(account, known) });
        } else if (shown.delete(account)) {
          watcher({ kind: 'presence', account, lastOnline: null });
        }
      }
    };
    const listenings = accounts.map((account) =>
      this.#listen(account, (heard) => {
        if (heard.kind === 'visibility') void look([account]).catch(() => shown.delete(account));
        else if (shown.has(account)) watcher({ kind: 'presence', account, lastOnline: heard.at });
      }),
    );
    const stop = (): void => {
      for (const listening of listenings) listening.stop();
    };
    try {
      await Promise.all(listenings.map((listening) => listening.begun));
      await look(accounts);
    } catch (error) {
      // A shard is down: the caller has nothing to stop, and the process would listen for as long as it lives.
      stop();
      throw error;
    }
    return stop;
  }

  #lastOf(account: AccountId, known: Map<AccountId, number>): number | null {
    const times = [this.#seen.get(account), this.#watched.get(account)?.heardAt, known.get(account)];
    const last = Math.max(...times.map((time) => time ?? 0));
    return last === 0 ? null : last;
  }

  /** One subscription per account, however many sockets watch it. */
  #listen(account: AccountId, watcher: (heard: LastOnline) => void): Listening {
    const watched = this.#watched.get(account) ?? this.#open(account);
    watched.watchers.add(watcher);
    const stop = (): void => {
      watched.watchers.delete(watcher);
      if (watched.watchers.size > 0) return;
      this.#watched.delete(account);
      // A subscription that the bus refused has no end; the caller that awaits `begun` gets the error.
      void watched.stop.then((end) => end()).catch(() => {});
    };
    return { begun: watched.stop, stop };
  }

  #open(account: AccountId): Watched {
    const notify = (heard: LastOnline): void => {
      if (heard.kind === 'seen') watched.heardAt = heard.at;
      for (const watcher of watched.watchers) watcher(heard);
    };
    const stops = Promise.all([
      this.#ctx.bus.subscribe(subject(account), (payload) => notify({ kind: 'seen', at: Number(payload) })),
      this.#ctx.bus.subscribe(visibilitySubject(account), () => notify({ kind: 'visibility' })),
    ]);
    const stop = stops.then((all) => () => {
      for (const end of all) end();
    });
    const watched: Watched = { watchers: new Set(), stop };
    this.#watched.set(account, watched);
    return watched;
  }

  async flush(): Promise<void> {
    const seen: PresenceRow[] = [...this.#seen].map(([owner, lastOnline]) => ({ owner, lastOnline }));
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

/** Writes at once: for the start of an app, which is rarer than a heartbeat. */
export async function recordPresence(ctx: Context, account: AccountId): Promise<void> {
  await ctx.shards.of(account).transact((db) => putPresence(db, [{ owner: account, lastOnline: ctx.clock.now() }]));
}

/** When accounts were last online; accounts that never were are left out. Callers check who may know. */
export async function listLastSeen(ctx: Context, accounts: AccountId[]): Promise<Map<AccountId, number>> {
  const groups = [...ctx.shards.group(accounts, (account) => account)];
  const found = await Promise.all(groups.map(([shard, owners]) => shard.query((db) => listPresence(db, owners))));
  return new Map(found.flat().map((row) => [row.owner, row.lastOnline]));
}

function subject(account: AccountId): string {
  return `presence.${account}`;
}
