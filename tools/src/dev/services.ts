import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from '../servers/folders.ts';
import { startMailCatcher } from '../servers/mail-catcher.ts';
import { hasJetStream, startNats } from '../servers/nats.ts';
import { startOpenId } from '../servers/openid.ts';
import { startPostgres } from '../servers/postgres.ts';
import { run } from '../servers/run.ts';
import { ensureAssistantPassword } from '../servers/secrets.ts';
import { startService } from './service.ts';
import { databases, describeEnvironment, folders, ports } from './stack.ts';

export async function startDatabases(): Promise<void> {
  const postgres = await startPostgres({ dir: folders.postgres, port: ports.postgres, record: 'postgres' });
  for (const name of [databases.directory, ...databases.shards]) await postgres.createDatabase(name);
}

export async function startBus(): Promise<void> {
  await startNats({ dir: folders.nats, port: ports.nats, record: 'nats' });
}

export async function startMailCatcherService(): Promise<void> {
  await startMailCatcher({ dir: folders.mail, smtpPort: ports.smtp, webPort: ports.mail, record: 'mail' });
}

export async function startGoogle(): Promise<void> {
  await startOpenId({ dir: folders.openId, port: ports.openId, record: 'openid' });
}

export async function migrate(): Promise<void> {
  await run(process.execPath, ['apps/server/src/admin.ts', 'migrate'], { cwd: repoRoot, env: describeEnvironment() });
}

export function startServer(): Promise<void> {
  return startService({
    name: 'server',
    port: ports.server,
    command: process.execPath,
    args: ['--watch', '--watch-preserve-output', 'src/main.ts'],
    cwd: join(repoRoot, 'apps/server'),
    env: describeEnvironment(),
    isReady: () => isResponding(`http://127.0.0.1:${ports.server}/readyz`),
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
    isReady: () => isResponding(`http://127.0.0.1:${ports.web}/`),
  });
}

/** On the first start the operator's command gives the assistant a ticket; later starts use its own device. */
export async function startAmadeus(): Promise<void> {
  const env = describeEnvironment();
  const email = 'amadeus@dostar.example';
  const printed = await run(process.execPath, ['apps/server/src/admin.ts', 'amadeus', email], { cwd: repoRoot, env });
  const ticket = printed.trim().split(' ')[2];
  if (ticket !== undefined) {
    // A ticket means that the account is new: an old device folder belongs to a deleted database.
    rmSync(folders.amadeus, { recursive: true, force: true });
    mkdirSync(folders.amadeus, { recursive: true });
    writeFileSync(join(folders.amadeus, 'ticket'), ticket, { mode: 0o600 });
  }
  await startService({
    name: 'amadeus',
    port: ports.amadeus,
    command: process.execPath,
    args: ['src/main.ts'],
    cwd: join(repoRoot, 'apps/amadeus'),
    env: {
      ...env,
      PORT: String(ports.amadeus),
      AMADEUS_SERVER: `http://127.0.0.1:${ports.server}`,
      AMADEUS_SITE: `http://localhost:${ports.web}`,
      AMADEUS_EMAIL: email.replace('@', '+0@'),
      AMADEUS_PASSWORD_FILE: ensureAssistantPassword(),
      AMADEUS_DATA: folders.amadeus,
    },
    isReady: () => isResponding(`http://127.0.0.1:${ports.amadeus}/readyz`),
  });
}

/** Asks a process whether it is healthy, depending on the name of its record. */
export function isHealthy(name: string, port: number): Promise<boolean> {
  if (name.endsWith('postgres')) return isDatabaseReady(port);
  if (name.endsWith('nats')) return hasJetStream(port);
  const path =
    { server: '/readyz', amadeus: '/readyz', mail: '/api/email', openid: '/.well-known/openid-configuration' }[name] ??
    '/';
  return isResponding(`http://127.0.0.1:${port}${path}`);
}

async function isDatabaseReady(port: number): Promise<boolean> {
  const args = ['-q', '-U', 'postgres', '-h', '127.0.0.1', '-p', String(port), '-t', '2'];
  return run('/usr/lib/postgresql/15/bin/pg_isready', args).then(
    () => true,
    () => false,
  );
}

async function isResponding(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(3_000) })).ok;
  } catch {
    return false;
  }
}
