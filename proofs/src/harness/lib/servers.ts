/**
 * Engines and our servers on them: a gateway, a worker and two apis, so that each must learn what the other changed.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, startRole } from '@dostar/tools/servers';
import type { Role } from '@dostar/tools/servers';
import { readConfig } from '../../../../apps/server/src/config.ts';
import type { Context } from '../../../../apps/server/src/context.ts';
import { openContext } from '../../../../apps/server/src/open-context.ts';
import { readSecrets } from '../../../../apps/server/src/secrets.ts';
import { REPO_ROOT, startEngines } from './engines.ts';
import type { EngineOptions, Engines } from './engines.ts';
import { silentBus } from './silent-bus.ts';

/** The origin that browsers send. */
export const ORIGIN = 'http://localhost:5173';

interface ServersOptions extends EngineOptions {
  env?: Record<string, string>;
  /** Settings that depend on the running engines. */
  envOf?: (engines: Engines) => Promise<Record<string, string>>;
  /** The roles of each process, as in ROLES; calls alternate between the first two. */
  roles?: string[];
  /** Starts this program instead of the server's own. */
  program?: Program;
}

interface Program {
  entry?: string;
  env?: Record<string, string>;
}

export interface Servers extends AsyncDisposable {
  engines: Engines;
  env: Record<string, string>;
  /** The context of this process; its bus is silent. */
  ctx: Context;
  processes: Role[];
  logFolder: string;
  /**
   * Stops the processes and starts them again, optionally with another program, such as one with a safeguard left out.
   */
  restart(program?: Program): Promise<void>;
}

export async function startServers(options: ServersOptions): Promise<Servers> {
  await using stack = new AsyncDisposableStack();
  const engines = stack.use(await startEngines(options));
  const late = await options.envOf?.(engines);
  // None of these proofs stops an engine, so a slow one means a busy machine.
  // The name of the setting in 0.1: some proofs start an older version too.
  const of01 = { DATABASE_PATIENCE_MS: '60000' };
  const patient = { ORIGIN, LOG_LEVEL: 'warn', DATABASE_TIMEOUT_MS: '60000', ...of01 };
  const env: Record<string, string> = { ...engines.env, ...patient, ...options.env, ...late };
  const logFolder = join(REPO_ROOT, '.dev/proofs', options.name, 'log');
  rmSync(logFolder, { recursive: true, force: true });
  mkdirSync(logFolder, { recursive: true });
  const { ctx } = stack.use(await openContext(readConfig(env), readSecrets(env), { bus: silentBus }));
  await ctx.placement.reload();
  // The object store did not exist when the engines were migrated.
  await ctx.blobs.prepare();

  const roles = options.roles ?? ['api', 'api,worker', 'gateway'];
  const ports = await Promise.all(roles.map(() => freePort()));
  const processes: Role[] = [];
  stack.defer(stop);

  async function start({ entry, env: more = {} }: Program = {}): Promise<void> {
    const started = await Promise.all(
      roles.map((role, index) =>
        startRole({
          roles: role,
          port: ports[index]!,
          env: { ...env, ...more },
          log: join(logFolder, `${index}-${role.replaceAll(',', '-')}.log`),
          ...(entry !== undefined && { entry }),
        }),
      ),
    );
    processes.push(...started);
  }

  async function stop(): Promise<void> {
    await Promise.all(processes.splice(0).map((process) => process[Symbol.asyncDispose]()));
  }

  await start(options.program);
  const owned = stack.move();
  return {
    engines,
    env,
    ctx,
    processes,
    logFolder,
    async restart(again) {
      await stop();
      await start(again);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
