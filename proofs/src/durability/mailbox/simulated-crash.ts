/** Processes that die at a chosen moment: from then on their statements no longer reach a database. */
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../../apps/server/src/context.ts';
import type { Shard, Shards } from '../../../../apps/server/src/platform/postgres/shards.ts';
import type { Crash } from './history.ts';

export class SimulatedCrash extends Error {
  override name = 'Died';
}

type Plugin = Parameters<Context['directory']['withPlugin']>[0];

interface AppendLike extends AsyncDisposable {
  append?: (unit: unknown) => Promise<unknown>;
}

/**
 * Crashes during one send. `between`: the recipient's copy is stored and the sender's is never requested. `after`: both
 * are stored, but the process neither answers, publishes nor removes the pending copy. If one append stores both
 * copies, `between` loses the answer instead.
 */
export function crashDuringSend(ctx: Context, from: AccountId, to: AccountId, crash: Crash): Context {
  if (crash === 'none') return ctx;
  const { shards } = ctx;
  return { ...ctx, shards: replace(shards, { of: chooseShard }) };

  function chooseShard(account: AccountId): Shard {
    const shard = shards.of(account);
    const isApart = shards.of(from) !== shards.of(to);
    // If both are on one shard, both calls must return the same object: the sender uses that to see that one append
    // suffices.
    if (isApart && account === to) return shard;
    return crashOnAppend(shard, crash === 'between' && isApart);
  }
}

const crashingShards = new WeakMap<Shard, Map<boolean, Shard>>();

function crashOnAppend(shard: Shard, isBefore: boolean): Shard {
  const known = crashingShards.get(shard) ?? new Map<boolean, Shard>();
  crashingShards.set(shard, known);
  const made = known.get(isBefore) ?? createCrashingShard(shard, isBefore);
  known.set(isBefore, made);
  return made;
}

function createCrashingShard(shard: Shard, isBefore: boolean): Shard {
  return replace(shard, {
    resource<T extends AsyncDisposable>(key: symbol, make: () => T): T {
      const writer = shard.resource(key, make) as T & AppendLike;
      if (writer.append === undefined) return writer;
      return replace(writer, {
        async append(unit: unknown): Promise<never> {
          if (!isBefore) await writer.append!(unit);
          throw new SimulatedCrash();
        },
      } as Partial<T & AppendLike>);
    },
  });
}

export interface WatchedMoveOptions {
  /** Dies before this statement, counted over all databases. */
  diesAfter: number | null;
  /** Called when the mover is about to freeze the bucket: the first row it updates. */
  onFreeze: () => void;
}

/** Wraps the context of an operator's process to observe or interrupt a move. */
export function watchMove(ctx: Context, { diesAfter, onFreeze }: WatchedMoveOptions): Context {
  let left = diesAfter ?? Infinity;
  const watcher: Plugin = {
    transformQuery({ node }) {
      left -= 1;
      if (left < 0) throw new SimulatedCrash();
      if (node.kind === 'UpdateQueryNode') onFreeze();
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  const wrap = (shard: Shard): Shard =>
    replace(shard, { maintain: (task) => shard.maintain((db) => task(db.withPlugin(watcher))) });
  const shards: Shards = replace(ctx.shards, {
    all: () => ctx.shards.all().map(wrap),
    byId: (id) => wrap(ctx.shards.byId(id)),
  });
  return { ...ctx, shards, directory: ctx.directory.withPlugin(watcher) };
}

/**
 * Returns a copy of the object with replaced methods. Other methods run on the original, which may hold private fields.
 */
function replace<T extends object>(original: T, methods: Partial<T>): T {
  return new Proxy(original, {
    get(target, name) {
      const found: unknown = Reflect.get(name in methods ? methods : target, name, target);
      return typeof found === 'function' ? (found.bind(target) as unknown) : found;
    },
  });
}
