/** A real deployment started and killed by a browser test: databases, two apis, two gateways and a reverse proxy. */
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ensureSecrets, ensureTestEngines, freePort, startRole } from '@dostar/tools/servers';
import type { Role } from '@dostar/tools/servers';
import { type Account, befriend, createAccount, newEmail } from './account.ts';
import { type ReverseProxy, startReverseProxy } from './reverse-proxy.ts';
import { startInbox } from './inbox.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const DATABASES = ['directory', 'shard_0', 'shard_1'];

export interface Stack extends AsyncDisposable {
  apis: Role[];
  gateways: Role[];
  proxy: ReverseProxy;
  /** Two new accounts that are contacts, on different shards. */
  createFriends(): Promise<{ alice: Account; bob: Account }>;
}

export async function startStack(): Promise<Stack> {
  await using stack = new AsyncDisposableStack();
  const { postgres, nats } = await ensureTestEngines();
  const name = `dostar_e2e_${process.pid}_${Date.now().toString(36)}`;
  const [directory, ...shards] = DATABASES.map((part) => `${name}_${part}`);
  for (const database of [directory!, ...shards]) {
    await postgres.createDatabase(database);
    stack.defer(async () => void (await postgres.sql('postgres', `drop database "${database}" with (force)`)));
  }
  const blobs = join(root, '.dev/e2e-blobs', name);
  stack.defer(() => rm(blobs, { recursive: true, force: true }));
  const port = await freePort();
  const inbox = stack.use(await startInbox());
  const env = {
    ...ensureSecrets(),
    DIRECTORY_URL: postgres.url(directory!),
    SHARD_URLS: shards.map((shard, id) => `${id}=${postgres.url(shard)}`).join(','),
    NATS_URLS: nats.url,
    // Concurrent tests share the engines but not the data: each stack has its own job prefix and blob folder.
    JOBS_PREFIX: name,
    BLOBS_DIR: blobs,
    SMTP_URL: inbox.smtpUrl,
    ORIGIN: `http://localhost:${port}`,
    LOG_LEVEL: 'warn',
    // Generous timeout: a slow machine must not look like an outage.
    DATABASE_TIMEOUT_MS: '60000',
  };
  await runAdminCommand(env, 'migrate');

  async function start(label: string, roles: string): Promise<Role> {
    const log = join(root, '.dev/log', `e2e-${label}.log`);
    return stack.use(await startRole({ roles, port: await freePort(), env, log }));
  }

  const [apis, gateways] = await Promise.all([
    Promise.all([start('api-1', 'api,worker'), start('api-2', 'api')]),
    Promise.all([start('gateway-1', 'gateway'), start('gateway-2', 'gateway')]),
  ]);
  const webRoot = join(root, 'apps/web/build/client');
  const proxy = stack.use(
    await startReverseProxy({ port, webRoot, apis: apis.map(portOf), gateways: gateways.map(portOf) }),
  );
  const owned = stack.move();
  return {
    apis,
    gateways,
    proxy,
    async createFriends() {
      const alice = await createAccount({ origin: proxy.origin, inbox, email: newEmail('alice') });
      let bob = await createAccount({ origin: proxy.origin, inbox, email: newEmail('bob') });
      while (shardOf(bob) === shardOf(alice))
        bob = await createAccount({ origin: proxy.origin, inbox, email: newEmail('bob') });
      await befriend(alice, bob);
      return { alice, bob };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function runAdminCommand(env: Record<string, string>, ...args: string[]): Promise<void> {
  const options = { cwd: root, env: { ...process.env, ...env } };
  await run(process.execPath, ['apps/server/src/admin.ts', ...args], options);
}

/** Buckets alternate between the two shards, so the last bit of an account id names its shard. */
function shardOf({ id }: Account): number {
  return Number.parseInt(id.slice(-1), 16) % 2;
}

function portOf({ port }: Role): number {
  return port;
}
