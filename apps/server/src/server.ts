/**
 * One process: opens its resources, starts its roles, and stops them.
 *
 * A graceful stop first tells the load balancer through `/readyz`, and serves until it has noticed. It then takes no new work,
 * sends `bye` to the sockets, finishes requests and flushes queues. Killing a process is safe too; a graceful stop only makes
 * it unnoticeable.
 */
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { authenticateTicket } from './features/identity/sign-ups/service.ts';
import { keepViews } from './features/operations/page-views/service.ts';
import { Sessions } from './features/identity/sessions/service.ts';
import { keepStats } from './features/operations/public-stats/service.ts';
import { openContext } from './open-context.ts';
import { runPeriodically } from './platform/concurrency/run-periodically.ts';
import { EngineChecks } from './platform/observability/engine-checks.ts';
import { listEngines, usesFiles } from './platform/observability/engines.ts';
import { mountHealth } from './platform/observability/health.ts';
import type { Health } from './platform/observability/health.ts';
import { FailedLookups } from './platform/security/failed-lookups.ts';
import { Http } from './platform/http/server.ts';
import type { RateLimit } from './platform/concurrency/rate-limits.ts';
import { openProxies } from './platform/http/visitor-address.ts';
import { mountApi } from './roles/api.ts';
import { mountGateway } from './roles/gateway.ts';
import { identifyCallers, mountAppwrite } from './roles/appwrite.ts';
import { mountSite } from './roles/site.ts';
import type { RunningConsole } from './roles/console.ts';
import { startWorker } from './roles/worker.ts';
import type { Secrets } from './secrets.ts';

const PLACEMENT_RELOAD_INTERVAL_MS = 30_000;
const WRONG_TICKETS: RateLimit = { name: 'wrong-ticket', points: 60, perSeconds: 60, scope: 'process' };

export interface RunningServer extends AsyncDisposable {
  ctx: Context;
  url: string;
  /** Undefined without the role `console`, or if its port is taken. */
  console: RunningConsole | undefined;
}

interface ServerOptions {
  /** For the doctor's check of the files that hold secrets. */
  env?: Record<string, string | undefined>;
  overrides?: Partial<Context>;
  compareEveryMs?: number;
}

export async function startServer(
  config: Config,
  secrets: Secrets,
  options: ServerOptions = {},
): Promise<RunningServer> {
  const stack = new AsyncDisposableStack();
  // Opened first and so closed last: spans of the shutdown are still sent.
  if (config.OTLP_TRACES_URL !== undefined) stack.use(await startTracing(config.OTLP_TRACES_URL, config));
  const opened = stack.use(await openContext(config, secrets, options.overrides));
  const { ctx } = opened;
  await ctx.placement.reload();
  if (usesFiles(config.ROLES)) await prepareFiles(ctx);
  stack.use(runPeriodically(PLACEMENT_RELOAD_INTERVAL_MS, ctx.log, 'reload placement', () => ctx.placement.reload()));

  const sessions = stack.use(await Sessions.open(ctx));
  const isProxy = openProxies(config.TRUSTED_PROXIES);
  const tickets = new FailedLookups({ ...WRONG_TICKETS, atOnce: 20 });
  const http = new Http({
    tls: secrets.tls,
    origins: config.ORIGIN,
    isSecure: ctx.origin.startsWith('https:'),
    isProxy,
    limits: ctx.limits,
    metrics: ctx.metrics,
    log: ctx.log,
    security: ctx.security,
    authenticate: (token, address) => sessions.authenticate(token, address),
    authenticateTicket: (ticket, address) => {
      const find = () => authenticateTicket(ctx, ticket);
      return ticket === undefined ? find() : tickets.run(address, find);
    },
  });
  const identify = identifyCallers(ctx, sessions);
  const { DATABASE_TIMEOUT_MS: timeoutMs } = config;
  const engines = stack.use(await EngineChecks.start(listEngines(ctx, config.ROLES), { ...ctx, timeoutMs }));
  const health: Health = { isDraining: false, engines };
  mountHealth(http, ctx, health, config);

  stack.use(keepStats(ctx));
  if (config.ROLES.includes('api')) {
    mountApi(http, ctx);
    mountAppwrite(http, ctx, identify);
  }
  if (config.ROLES.includes('site')) {
    stack.use(keepViews(ctx));
    await mountSite(http, ctx, { root: config.WEB_ROOT, origin: config.ORIGIN[0] ?? '' });
  }
  if (config.ROLES.includes('worker')) stack.use(startWorker(ctx));
  stack.defer(() => http.close());
  if (config.ROLES.includes('gateway')) {
    const { origins, compareEveryMs } = { origins: config.ORIGIN, compareEveryMs: options.compareEveryMs };
    stack.use(mountGateway(ctx, { server: http.app.server, sessions, origins, isProxy, identify, compareEveryMs }));
  }
  stack.defer(async () => {
    health.isDraining = true;
    await sleep(config.DRAIN_SECONDS * 1_000);
  });

  const operatorConsole = config.ROLES.includes('console')
    ? await openConsole(ctx, config, secrets, options)
    : undefined;
  if (operatorConsole) stack.use(operatorConsole);
  await http.app.listen({ host: config.HOST, port: config.PORT });
  const { port } = http.app.server.address() as AddressInfo;
  ctx.log.info({ roles: config.ROLES, port, push: pushKindOf(ctx) }, 'listening');
  return {
    ctx,
    url: `${secrets.tls ? 'https' : 'http'}://${config.HOST}:${port}`,
    console: operatorConsole,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Logs a failure only: calls that need no files still work. */
async function prepareFiles({ blobs, log }: Context): Promise<void> {
  await blobs.prepare().catch((error: unknown) => {
    log.error({ reason: (error as Error).name }, 'files can not be stored: the bucket or folder is missing');
  });
}

/** The doctor and the operator commands are loaded only if they are used. */
async function openConsole(
  ctx: Context,
  config: Config,
  secrets: Secrets,
  { env = {} }: ServerOptions,
): Promise<RunningConsole | undefined> {
  const { startConsole } = await import('./roles/console.ts');
  return startConsole(ctx, { env, config, secrets });
}

/** The tracing libraries are large, so they are loaded only if they are used. */
async function startTracing(
  url: string,
  { TRACES_SAMPLE_RATIO: share, ROLES: roles }: Config,
): Promise<AsyncDisposable> {
  const { openTracing } = await import('./platform/observability/trace-exporter.ts');
  return openTracing({ url, share, roles });
}

/** What browsers subscribe to; with both set up, to our own key. */
function pushKindOf({ webPush, fcm }: Pick<Context, 'webPush' | 'fcm'>): 'web' | 'firebase' | 'off' {
  if (webPush) return 'web';
  return fcm ? 'firebase' : 'off';
}
