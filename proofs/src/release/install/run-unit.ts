import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { launch, runEngine } from '@dostar/tools/servers';
import type { Engine } from '@dostar/tools/servers';
import { REPO_ROOT } from '../../harness/lib/engines.ts';
import type { Root } from './root.ts';
import type { Unit } from './unit.ts';

/** Starts a unit's process in the root as the unit's user; it ends with the proof, even by kill -9. */
export async function runUnit(root: Root, { name, user, before, command, env }: Unit, port: number): Promise<Engine> {
  const pairs = Object.entries({ ...env, HOME: findHome(root, user) }).map(([key, value]) => `${key}=${value}`);
  const asUser = ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups', '--no-new-privs'];
  for (const { words, isRoot } of before) {
    const { code, output } = await root.run('env', ...pairs, ...(isRoot ? [] : asUser), ...words);
    if (code !== 0) throw new Error(`${name}, before its start: ${output}`);
  }
  const [first = '', ...args] = [...root.enter, 'env', ...pairs, ...asUser, '--pdeathsig=INT', ...command];
  const log = join(REPO_ROOT, '.dev/log', `proof-install-${name}.log`);
  const start = () => launch({ command: first, args, log, survives: true, env: { PATH: process.env['PATH'] } });
  return runEngine({ port, log, stopSignal: 'SIGTERM', start });
}

function findHome(root: Root, user: string): string {
  const people = readFileSync(join(root.path, 'etc/passwd'), 'utf8').split('\n');
  return people.find((line) => line.startsWith(`${user}:`))?.split(':')[5] ?? '/';
}
