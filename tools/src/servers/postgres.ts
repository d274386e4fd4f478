import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { installDebian } from './debian.ts';
import { runEngine } from './engine.ts';
import type { Engine } from './engine.ts';
import { chooseFolder, findEngineUser, makeFolder } from './folders.ts';
import type { SystemUser } from './folders.ts';
import { launch } from './launch.ts';
import { findProcess, isRunning } from './processes.ts';
import type { ProcessRef } from './processes.ts';
import { run } from './run.ts';
import { waitFor } from './wait-for.ts';

const bin = '/usr/lib/postgresql/15/bin';

export interface PostgresOptions {
  dir: string;
  port: number;
  settings?: Record<string, string>;
  /** Name in .dev/run; without one it ends with the process that started it. */
  record?: string;
}

export interface Postgres extends Engine {
  url(database: string): string;
  /** Runs SQL with psql and returns its unaligned output. */
  sql(database: string, text: string): Promise<string>;
  createDatabase(name: string): Promise<void>;
}

/** Starts a cluster in `dir`, or adopts the one that already runs there. */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  if (!existsSync(join(bin, 'postgres'))) await installDebian(['postgresql-15']);
  const user = findEngineUser();
  const dir = chooseFolder(options.dir, user);
  const data = join(dir, 'data');
  const log = join(dir, 'postgres.log');
  makeFolder(dir, user);

  async function start(): Promise<ProcessRef> {
    const present = findCluster(data, options.port);
    if (present) return present;
    await createCluster(data, user);
    const settings = Object.entries(chooseSettings(dir, options));
    const args = ['-D', data, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
    const survives = options.record !== undefined;
    for (let attempt = 1; ; attempt++) {
      const ref = await launch({ command: join(bin, 'postgres'), args, cwd: dir, log, user, survives });
      await waitFor(() => isReady(data, ref) || !isRunning(ref), { timeoutMs: 60_000, what: `PostgreSQL in ${dir}` });
      if (isRunning(ref)) return ref;
      // After kill -9 of the postmaster its backends need a moment to exit and release the shared memory, and a busy
      // machine needs time to reap the dead process.
      const isHeld = /still in use|lock file "postmaster\.pid" already exists/.test(readTail(log));
      if (!isHeld || attempt === 20) throw new Error(`PostgreSQL did not start; see ${log}\n${readTail(log)}`);
      await sleep(250);
    }
  }

  function url(database: string): string {
    return `postgres://postgres@127.0.0.1:${options.port}/${database}`;
  }

  function sql(database: string, text: string): Promise<string> {
    return run(join(bin, 'psql'), ['-XAtq', '-v', 'ON_ERROR_STOP=1', '-d', url(database), '-c', text]);
  }

  const engine = await runEngine({ port: options.port, log, stopSignal: 'SIGINT', record: options.record, start });
  return Object.assign(engine, {
    url,
    sql,
    async createDatabase(name: string) {
      const found = await sql('postgres', `select 1 from pg_database where datname = '${name}'`);
      if (found === '') await sql('postgres', `create database "${name}"`);
    },
  });
}

async function createCluster(data: string, user: SystemUser | undefined): Promise<void> {
  if (existsSync(join(data, 'PG_VERSION')) && existsSync(join(data, 'dostar.created'))) return;
  // An interrupted first start leaves an incomplete cluster, which initdb refuses to touch.
  rmSync(data, { recursive: true, force: true });
  const args = [
    '-D',
    data,
    '-U',
    'postgres',
    '--auth=trust',
    '--data-checksums',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
  ];
  await run(join(bin, 'initdb'), [...args, '--no-sync', '--no-instructions'], { user, cwd: '/' });
  writeFileSync(join(data, 'dostar.created'), '');
}

function chooseSettings(dir: string, options: PostgresOptions): Record<string, string> {
  return {
    port: String(options.port),
    listen_addresses: '127.0.0.1',
    // A socket's path may have at most 107 bytes, so a clone in a deep folder does without sockets.
    unix_socket_directories: dir.length < 80 ? dir : '',
    max_connections: '200',
    fsync: 'on',
    synchronous_commit: 'on',
    jit: 'off',
    // As in an installation, the log does not quote rows.
    log_error_verbosity: 'terse',
    ...options.settings,
  };
}

interface PidFile {
  pid: number;
  port: number;
  status: string;
}

function readPidFile(data: string): PidFile | undefined {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3]), status: lines[7]?.trim() ?? '' };
  } catch {
    return undefined;
  }
}

function isReady(data: string, ref: ProcessRef): boolean {
  const file = readPidFile(data);
  return file?.pid === ref.pid && file.status === 'ready';
}

function findCluster(data: string, port: number): ProcessRef | undefined {
  const file = readPidFile(data);
  const ref = file && findProcess(file.pid);
  // After a crash the pid file remains and its pid may be reused.
  if (!ref || !readFileSync(`/proc/${ref.pid}/cmdline`, 'utf8').split('\0').includes(data)) return undefined;
  if (file.port !== port) throw new Error(`The cluster in ${data} already runs, but on port ${file.port}.`);
  return ref;
}

function readTail(path: string): string {
  return readFileSync(path, 'utf8').trim().split('\n').slice(-5).join('\n');
}
