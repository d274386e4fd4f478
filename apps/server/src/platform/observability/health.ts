/**
 * `/healthz`: the process runs. `/readyz`: it can serve users, and which engines answer. `/metrics`: metrics, for holders of
 * the token.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import type { Http } from '../http/server.ts';
import type { EngineChecks } from './engine-checks.ts';
import { canServe } from './engines.ts';

export interface Health {
  isDraining: boolean;
  engines: EngineChecks;
}

export function mountHealth(
  http: Http,
  ctx: Context,
  health: Health,
  { ROLES: roles, METRICS_TOKEN: metricsToken }: Config,
): void {
  http.app.get('/healthz', async () => ({ ok: true }));

  http.app.get('/readyz', async (_request, reply) => {
    const engines = health.engines.outcomes;
    const isReady = !health.isDraining && canServe(ctx, roles, engines);
    return reply.code(isReady ? 200 : 503).send({ ready: isReady, draining: health.isDraining, engines });
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
