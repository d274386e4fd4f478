/**
 * Several server processes in one: each has its own connections, batch writers and placement cache, which becomes
 * stale.
 */
import { waitFor } from '@dostar/tools/servers';
import { Client } from 'pg';
import { ensureSecrets } from '@dostar/tools/servers';
import { readConfig } from '../../../../apps/server/src/config.ts';
import type { Context } from '../../../../apps/server/src/context.ts';
import { openContext } from '../../../../apps/server/src/open-context.ts';
import { readSecrets } from '../../../../apps/server/src/secrets.ts';
import { createLog } from '../../../../apps/server/src/platform/observability/log.ts';
import { PROCESSES } from './history.ts';
import { LossyBus } from './lossy-bus.ts';

export interface DatabaseUrls {
  directory: string;
  shards: string[];
}

export interface Processes extends AsyncDisposable {
  all: Context[];
  operator: Context;
  bus: LossyBus;
  /** Reads the databases directly, past the server's code. */
  directory: Client;
  shards: Client[];
  /** Cuts every connection of the processes to one database: a shard, or the directory as the last number. */
  cut(database: number): Promise<void>;
  /** Waits until every process has noticed its cuts and has recovered. */
  recover(): Promise<void>;
}

/** Longer than a circuit breaker stays open: after a cut the proof moves the clock forward instead of waiting. */
const CIRCUIT_BREAKER_MS = 1_100;

export async function openProcesses(urls: DatabaseUrls): Promise<Processes> {
  await using stack = new AsyncDisposableStack();
  const bus = new LossyBus();
  let offset = 0;
  const clock = { now: () => Date.now() + offset };
  const log = createLog('silent');
  const secrets = readSecrets(ensureSecrets());
  const config = readConfig({
    DIRECTORY_URL: urls.directory,
    SHARD_URLS: urls.shards.map((url, id) => `${id}=${url}`).join(','),
    LOG_LEVEL: 'silent',
  });

  async function open(): Promise<Context> {
    const { ctx } = stack.use(await openContext(config, secrets, { bus, clock, log }));
    await ctx.placement.reload();
    return ctx;
  }

  async function look(url: string): Promise<Client> {
    const client = new Client({ connectionString: url, application_name: 'proof' });
    await client.connect();
    stack.defer(() => client.end());
    return client;
  }

  const all = await Promise.all(Array.from({ length: PROCESSES }, open));
  const operator = await open();
  const shards = await Promise.all(urls.shards.map(look));
  const directory = await look(urls.directory);
  const kept = stack.move();
  return {
    all,
    operator,
    bus,
    directory,
    shards,
    async cut(database) {
      await (shards[database] ?? directory).query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'dostar'`,
      );
      offset += CIRCUIT_BREAKER_MS;
    },
    async recover() {
      for (const ctx of [...all, operator]) {
        await waitFor(() => askAll(ctx), { what: 'a process to recover', everyMs: 5 });
      }
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };

  async function askAll(ctx: Context): Promise<true> {
    offset += CIRCUIT_BREAKER_MS;
    for (const shard of ctx.shards.all()) {
      await shard.query((db) => db.selectFrom('bucket_here').select('bucket').limit(1).execute());
    }
    await ctx.placement.reload();
    return true;
  }
}
