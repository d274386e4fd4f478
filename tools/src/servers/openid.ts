import { join } from 'node:path';
import { runEngine } from './engine.ts';
import type { Engine } from './engine.ts';
import { repoRoot } from './folders.ts';
import { launch } from './launch.ts';
import { isRunning } from './processes.ts';
import type { ProcessRef } from './processes.ts';
import { findRunning } from './records.ts';
import { waitFor } from './wait-for.ts';

const program = join(repoRoot, 'tools/src/servers/openid-provider.ts');

export interface OpenIdOptions {
  dir: string;
  port: number;
  /** Name in .dev/run; without one it ends with the process that started it. */
  record?: string;
}

export interface OpenId extends Engine {
  /** Environment variables for the server. */
  readonly env: { GOOGLE_ISSUER: string; GOOGLE_CLIENT_ID: string; GOOGLE_CLIENT_SECRET: string };
}

/** Not a real secret: it only works for the stand-in on this machine. */
const client = { id: 'dostar', secret: 'a-stand-in-has-no-secrets' };

export function describeOpenId(port: number): OpenId['env'] {
  return {
    GOOGLE_ISSUER: `http://127.0.0.1:${port}`,
    GOOGLE_CLIENT_ID: client.id,
    GOOGLE_CLIENT_SECRET: client.secret,
  };
}

/** Starts an OpenID provider as a stand-in for Google. */
export async function startOpenId(options: OpenIdOptions): Promise<OpenId> {
  const { port } = options;
  const env = describeOpenId(port);
  const log = join(options.dir, 'openid.log');

  async function start(): Promise<ProcessRef> {
    const present = options.record === undefined ? undefined : findRunning(options.record);
    if (present) return { pid: present.pid, identity: present.identity };
    const args = [program, String(port), client.id, client.secret];
    const ref = await launch({ command: process.execPath, args, log, survives: options.record !== undefined });
    const card = `${env.GOOGLE_ISSUER}/.well-known/openid-configuration`;
    await waitFor(async () => !isRunning(ref) || (await fetch(card)).ok, {
      what: `the OpenID provider on ${port}`,
      timeoutMs: 45_000,
    });
    if (!isRunning(ref)) throw new Error(`The OpenID provider did not start; see ${log}`);
    return ref;
  }

  const engine = await runEngine({ port, log, stopSignal: 'SIGTERM', record: options.record, start });
  return Object.assign(engine, { env });
}
