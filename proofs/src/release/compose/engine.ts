/**
 * A real Docker Engine with Compose from Debian, unpacked and not installed: everything that it stores lies in the folder
 * of the proof, and it ends with it.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installDebian, launch, runEngine, unpackDebian, waitFor } from '@dostar/tools/servers';
import { REPO_ROOT } from '../../harness/lib/engines.ts';

const run = promisify(execFile);
const FOLDER = join(REPO_ROOT, '.dev/proofs/compose');
/** A short path, because the path of a Unix socket has at most 107 bytes. Mounts of a killed run may keep its folder busy. */
const SOCKETS = `/run/dostar-proof-docker-${process.pid}`;
/** The machine as the containers see it. */
export const HOST_ADDRESS = '172.29.255.1';
const PROGRAMS = [
  { package: 'docker.io', file: 'usr/sbin/dockerd' },
  { package: 'containerd', file: 'usr/bin/containerd' },
  { package: 'containerd', file: 'usr/bin/containerd-shim-runc-v2' },
  { package: 'docker-cli', file: 'usr/bin/docker' },
];
const COMPOSE = 'usr/libexec/docker/cli-plugins/docker-compose';

export interface Answer {
  code: number;
  output: string;
}

export interface DockerEngine extends AsyncDisposable {
  docker(args: string[], options?: { cwd?: string; input?: string; output?: string }): Promise<Answer>;
}

export async function startDocker(): Promise<DockerEngine> {
  await installDebian(['runc', 'iptables']);
  const programs = await bringPrograms();
  mkdirSync(SOCKETS, { recursive: true });
  const settings = {
    'data-root': join(FOLDER, 'docker'),
    'exec-root': join(SOCKETS, 'exec'),
    pidfile: join(SOCKETS, 'pid'),
    hosts: [`unix://${SOCKETS}/docker.sock`],
    bip: `${HOST_ADDRESS}/24`,
    'userland-proxy': false,
  };
  const file = join(FOLDER, 'daemon.json');
  writeFileSync(file, JSON.stringify(settings, null, 2));
  const env = {
    PATH: `${programs}:/usr/sbin:/usr/bin:/sbin:/bin`,
    HOME: join(FOLDER, 'home'),
    DOCKER_HOST: `unix://${SOCKETS}/docker.sock`,
    // The assistant too.
    COMPOSE_PROFILES: 'amadeus',
  };

  async function docker(
    args: string[],
    { cwd, input, output }: { cwd?: string; input?: string; output?: string } = {},
  ): Promise<Answer> {
    const files = [input && openSync(input, 'r'), output && openSync(output, 'w')] as const;
    const child = spawn(join(programs, 'docker'), args, {
      env,
      cwd: cwd ?? FOLDER,
      stdio: [files[0] || 'ignore', files[1] || 'pipe', 'pipe'],
    });
    const said: string[] = [];
    child.stdout?.on('data', (part: Buffer) => said.push(part.toString()));
    child.stderr?.on('data', (part: Buffer) => said.push(part.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    for (const opened of files) if (opened) closeSync(opened);
    return { code: code ?? 1, output: said.join('').trim() };
  }

  const log = join(REPO_ROOT, '.dev/log/proof-compose-docker.log');
  const start = () =>
    launch({ command: join(programs, 'dockerd'), args: ['--config-file', file], log, survives: false, env });
  const engine = await runEngine({ port: 0, log, stopSignal: 'SIGTERM', start });
  const isUp = async (): Promise<boolean> => (await docker(['info'])).code === 0;
  await waitFor(isUp, { what: 'Docker', timeoutMs: 60_000, everyMs: 200 });
  return {
    docker,
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}

/** One folder with links to every program, and Compose as the plugin of a home of its own. */
async function bringPrograms(): Promise<string> {
  const folder = join(FOLDER, 'programs');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { package: wanted, file } of PROGRAMS) {
    const name = file.split('/').at(-1)!;
    symlinkSync(
      await unpackDebian({ name: `docker-${name}`, suite: 'trixie', package: wanted, file }),
      join(folder, name),
    );
  }
  const plugins = join(FOLDER, 'home/.docker/cli-plugins');
  rmSync(plugins, { recursive: true, force: true });
  mkdirSync(plugins, { recursive: true });
  const compose = await unpackDebian({
    name: 'docker-compose',
    suite: 'forky',
    package: 'docker-compose',
    file: COMPOSE,
  });
  symlinkSync(compose, join(plugins, 'docker-compose'));
  return folder;
}

/** The output of a command that has to succeed. */
export async function must(answer: Promise<Answer>, what: string): Promise<string> {
  const { code, output } = await answer;
  if (code !== 0) throw new Error(`${what} failed: ${output}`);
  return output;
}

/** Makes an image of a folder. */
export async function importRoot(path: string, name: string): Promise<void> {
  const env = { PATH: process.env['PATH'], DOCKER_HOST: `unix://${SOCKETS}/docker.sock` };
  await run('sh', ['-c', 'tar -C "$0" -c . | "$1" import - "$2"', path, join(FOLDER, 'programs/docker'), name], {
    env,
  });
}
