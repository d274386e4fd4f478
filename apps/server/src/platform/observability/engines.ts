import { sql } from 'kysely';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import type { Engine } from './engine-checks.ts';

type Roles = Config['ROLES'];

/** The engines that a process with these roles uses. */
export function listEngines(ctx: Context, roles: Roles): Engine[] {
  return [
    { name: 'directory', check: () => sql`select 1`.execute(ctx.directory) },
    ...ctx.shards.all().map((shard) => ({
      name: shardEngine(shard.id),
      check: () => shard.query((db) => sql`select 1`.execute(db)),
    })),
    { name: 'nats', check: async () => requireUp(ctx.bus.isUp) },
    // A gateway may run where the folder of files is not mounted.
    ...(usesFiles(roles) ? [{ name: 'blobs', check: () => ctx.blobs.check() }] : []),
  ];
}

/**
 * Whether a process with these roles can serve any user. One dead shard of many must not make a load balancer drop every
 * process, and messages arrive without NATS and without files.
 */
export function canServe(ctx: Context, roles: Roles, outcomes: Record<string, boolean>): boolean {
  // The pages of the site are files.
  if (roles.every((role) => role === 'site')) return true;
  return outcomes['directory'] === true && ctx.shards.all().some(({ id }) => outcomes[shardEngine(id)]);
}

export function usesFiles(roles: Roles): boolean {
  return roles.includes('api') || roles.includes('worker');
}

function shardEngine(id: number): string {
  return `shard_${id}`;
}

function requireUp(isUp: boolean): void {
  if (!isUp) throw new Error('not connected');
}
