/** Engines, a server context in this process, and users who are all contacts, for proofs that measure. */
import { accountOn } from '../../../../apps/server/test/test-cluster.ts';
import { readConfig } from '../../../../apps/server/src/config.ts';
import type { Context } from '../../../../apps/server/src/context.ts';
import { createAccount } from '../../../../apps/server/src/features/identity/accounts/service.ts';
import { startSession } from '../../../../apps/server/src/features/identity/sessions/service.ts';
import { openContext } from '../../../../apps/server/src/open-context.ts';
import { readSecrets } from '../../../../apps/server/src/secrets.ts';
import { shardName, startEngines } from '../lib/engines.ts';
import type { EngineOptions, Engines } from '../lib/engines.ts';
import { silentBus } from '../lib/silent-bus.ts';
import type { Person } from './messages.ts';
import { raisePriority } from './priority.ts';

/** The same for all measurements: checkpoints are so rare that none falls into a single round. */
const SETTINGS = { shared_buffers: '256MB', max_wal_size: '4GB', checkpoint_timeout: '20min' };

export interface LoadFixture extends AsyncDisposable {
  engines: Engines;
  env: Record<string, string>;
  /** The context of this process; its bus is silent. */
  ctx: Context;
  people: Person[];
}

export async function startLoadFixture(options: EngineOptions & { people: number }): Promise<LoadFixture> {
  await using stack = new AsyncDisposableStack();
  const engines = stack.use(await startEngines({ ...options, settings: { ...SETTINGS, ...options.settings } }));
  const env = { ...engines.env, LOG_LEVEL: 'error' };
  const { ctx } = stack.use(await openContext(readConfig(env), readSecrets(env), { bus: silentBus }));
  await ctx.placement.reload();
  const people = await createAccounts(ctx, options.people);
  await insertContacts(engines, people);
  stack.use(raisePriority());
  const kept = stack.move();
  return { engines, env, ctx, people, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** Creates accounts on alternating shards. */
async function createAccounts(ctx: Context, count: number): Promise<Person[]> {
  const people: Person[] = [];
  for (let index = 0; index < count; index++) {
    const account = await createAccount(ctx, accountOn(index % 2));
    const { token } = await startSession(ctx, account);
    people.push({ account, token });
  }
  return people;
}

async function insertContacts(engines: Engines, people: Person[]): Promise<void> {
  const all = people.map(({ account }) => `'${account}'`).join(',');
  for (const [id, shard] of engines.shards.entries()) {
    await shard.sql(
      shardName(id),
      `insert into contact (owner, peer, state)
       select m.owner, p, 'accepted' from mailbox m, unnest(array[${all}]::uuid[]) p where p <> m.owner`,
    );
    // The planner has now seen an empty log: the plan that it chooses for that has to carry the load.
    await shard.sql(shardName(id), 'vacuum analyze');
  }
}
