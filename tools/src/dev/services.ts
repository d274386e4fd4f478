import { join } from 'node:path';
import { repoRoot } from '../servers/folders.ts';
import { startMail } from '../servers/mail.ts';
import { hasJetStream, startNats } from '../servers/nats.ts';
import { startPostgres } from '../servers/postgres.ts';
import { run } from '../servers/run.ts';
import { startService } from './service.ts';
import { databases, describeEnvironment, folders, ports } from './stack.ts';

export async function startDatabases(): Promise<void> {
  const postgres = await startPostgres({ dir: folders.postgres, port: ports.postgres, record: 'postgres' });
  for (const name of [databases.directory, ...databases.shards]) await postgres.createDatabase(name);
}

export async function startBus(): Promise<void> {
  await startNats({ dir: folders.nats, port: ports.nats, record: 'nats' });
}

export async function startMailCatcher(): Promise<void> {
  await startMail({ dir: folders.mail, smtpPort: ports.smtp, webPort: ports.mail, record: 'mail' });
}

export async function prepareData(): Promise<void> {
  const env = describeEnvironment();
  for (const command of ['migrate', 'seed']) {
    await run(process.execPath, ['apps/server/src/admin.ts', command], { cwd: repoRoot, env });
  }
}

/** A link each for Alice and Bob, with a fresh session in it. One browser holds one session: Bob's wants another. */
export async function signInBoth(): Promise<string> {
  const args = ['apps/server/src/admin.ts', 'walk', `http://localhost:${ports.web}`];
  return run(process.execPath, args, { cwd: repoRoot, env: describeEnvironment() });
}

export function startServer(): Promise<void> {
  return startService({
    name: 'server',
    port: ports.server,
    command: process.execPath,
    args: ['--watch', '--watch-preserve-output', 'src/main.ts'],
    cwd: join(repoRoot, 'apps/server'),
    env: describeEnvironment(),
    isReady: () => answers(`http://127.0.0.1:${ports.server}/readyz`),
  });
}

export function startWeb(): Promise<void> {
  const cwd = join(repoRoot, 'apps/web');
  return startService({
    name: 'web',
    port: ports.web,
    command: join(cwd, 'node_modules/.bin/react-router'),
    args: ['dev', '--port', String(ports.web)],
    cwd,
    env: describeEnvironment(),
    isReady: () => answers(`http://127.0.0.1:${ports.web}/`),
  });
}

/** How to ask each kind of process whether it is well, by the name of its record. */
export function isHealthy(name: string, port: number): Promise<boolean> {
  if (name.endsWith('postgres')) return isDatabaseReady(port);
  if (name.endsWith('nats')) return hasJetStream(port);
  const path = { server: '/readyz', mail: '/api/email' }[name] ?? '/';
  return answers(`http://127.0.0.1:${port}${path}`);
}

async function isDatabaseReady(port: number): Promise<boolean> {
  const args = ['-q', '-U', 'postgres', '-h', '127.0.0.1', '-p', String(port), '-t', '2'];
  return run('/usr/lib/postgresql/15/bin/pg_isready', args).then(
    () => true,
    () => false,
  );
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(3_000) })).ok;
  } catch {
    return false;
  }
}
