/** `/healthz`: the process runs. `/readyz`: databases and NATS answer. `/metrics`: metrics, for holders of the token. */
import { timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Http } from '../http/server.ts';

export interface Health {
  isDraining: boolean;
}

export function mountHealth(http: Http, ctx: Context, health: Health, metricsToken: string | undefined): void {
  http.app.get('/healthz', async () => ({ ok: true }));

  let pendingChecks: Promise<Record<string, boolean>> | undefined;
  http.app.get('/readyz', async (_request, reply) => {
    // Unauthenticated: however many callers ask at once, each service is checked once.
    pendingChecks ??= checkDependencies(ctx).finally(() => (pendingChecks = undefined));
    const engines = await pendingChecks;
    const isReady = !health.isDraining && Object.values(engines).every(Boolean);
    return reply.code(isReady ? 200 : 503).send({ ready: isReady, engines });
  });

  if (metricsToken === undefined) return;
  const expected = Buffer.from(`Bearer ${metricsToken}`);
  http.app.get('/metrics', async (request, reply) => {
    const given = Buffer.from(request.headers.authorization ?? '');
    const isRight = given.length === expected.length && timingSafeEqual(given, expected);
    if (!isRight) return reply.code(404).send();
    return reply.type(ctx.metrics.registry.contentType).send(await ctx.metrics.registry.metrics());
  });
}

/** By name, whether it answers. */
async function checkDependencies(ctx: Context): Promise<Record<string, boolean>> {
  const checks: [string, Promise<unknown>][] = [
    ['directory', sql`select 1`.execute(ctx.directory)],
    ['bus', ctx.bus.isUp ? Promise.resolve() : Promise.reject(new Error('away'))],
    ...ctx.shards
      .all()
      .map((shard): [string, Promise<unknown>] => [
        `shard ${shard.id}`,
        shard.query((db) => sql`select 1`.execute(db)),
      ]),
  ];
  const outcomes = await Promise.allSettled(checks.map(([, check]) => check));
  return Object.fromEntries(checks.map(([name], index) => [name, outcomes[index]?.status === 'fulfilled']));
}
