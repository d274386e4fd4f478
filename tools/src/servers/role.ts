import { join } from 'node:path';
import { runEngine } from './engine.ts';
import type { Engine } from './engine.ts';
import { repoRoot } from './folders.ts';
import { launch } from './launch.ts';
import { isRunning } from './processes.ts';
import type { ProcessRef } from './processes.ts';
import { waitFor } from './wait-for.ts';

export interface RoleOptions {
  /** One role of ROLES, or several with commas. */
  roles: string;
  port: number;
  env: Record<string, string>;
  log: string;
  /** Replaces the server's program, for example by one with a safeguard left out. */
  entry?: string;
  /** Path of another Node. */
  node?: string;
  /** How long it may take until it listens. */
  timeoutMs?: number;
}

export interface Role extends Engine {
  readonly url: string;
}

/** Runs our server in its own process, which can be killed and restarted like an engine. Returns once it listens. */
export async function startRole(options: RoleOptions): Promise<Role> {
  const { roles, port, log } = options;
  const url = `http://127.0.0.1:${port}`;
  const env = { ...process.env, ...options.env, ROLES: roles, HOST: '127.0.0.1', PORT: String(port) };
  const entry = options.entry ?? join(repoRoot, 'apps/server/src/main.ts');

  async function start(): Promise<ProcessRef> {
    const ref = await launch({ command: options.node ?? process.execPath, args: [entry], env, log, survives: false });
    await waitFor(async () => !isRunning(ref) || (await fetch(`${url}/healthz`)).ok, {
      timeoutMs: options.timeoutMs ?? 90_000,
      what: `${roles} on port ${port}`,
    });
    if (!isRunning(ref)) throw new Error(`The process for ${roles} ended at once; see ${log}`);
    return ref;
  }

  return Object.assign(await runEngine({ port, log, stopSignal: 'SIGTERM', start }), { url });
}
