/** A process for each of worker and site, and two for each of api and gateway, each replaceable by another version. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, startRole } from '@dostar/tools/servers';
import type { Role } from '@dostar/tools/servers';
import { REPO_ROOT } from '../../harness/lib/engines.ts';
import type { Version } from './previous.ts';

/** Processes of one round are replaced concurrently. The second api and gateway serve meanwhile. */
const ROUNDS = [
  ['worker', 'site', 'api', 'gateway'],
  ['api', 'gateway'],
];

interface ProcessSlot {
  roles: string;
  port: number;
  running: Role;
}

export class Processes implements AsyncDisposable {
  readonly #env: Record<string, string>;
  readonly #rounds: ProcessSlot[][];

  private constructor(env: Record<string, string>, rounds: ProcessSlot[][]) {
    this.#env = env;
    this.#rounds = rounds;
  }

  static async start(env: Record<string, string>, version: Version): Promise<Processes> {
    const rounds = ROUNDS.map((round) =>
      Promise.all(
        round.map(async (roles) => {
          const port = await freePort();
          return { roles, port, running: await launch(env, { roles, port }, version) };
        }),
      ),
    );
    return new Processes(env, await Promise.all(rounds));
  }

  portsOf(role: string): number[] {
    return this.#rounds.flat().flatMap(({ roles, port }) => (roles === role ? [port] : []));
  }

  /** Stops each process as an operator would and starts its successor. Returns how many run the new version. */
  async replace(version: Version): Promise<number> {
    for (const round of this.#rounds) {
      await Promise.all(
        round.map(async (slot) => {
          await slot.running.stop();
          slot.running = await launch(this.#env, slot, version);
        }),
      );
    }
    return this.#rounds.flat().filter(({ running }) => readCommand(running.pid).includes(entryOf(version))).length;
  }

  get size(): number {
    return this.#rounds.flat().length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#rounds.flat().map(({ running }) => running.stop()));
  }
}

function launch(
  env: Record<string, string>,
  { roles, port }: Omit<ProcessSlot, 'running'>,
  version: Version,
): Promise<Role> {
  const log = join(REPO_ROOT, '.dev/proofs/upgrade', `${roles}-${port}.log`);
  return startRole({ roles, port, env, log, entry: entryOf(version) });
}

function entryOf({ root }: Version): string {
  return join(root, 'apps/server/src/main.ts');
}

function readCommand(pid: number): string[] {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
}
