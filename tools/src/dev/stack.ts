// The development stack: names, ports and the environment its programs share.
import { join } from 'node:path';
import { devRoot } from '../servers/folders.ts';
import { describeOpenId } from '../servers/openid.ts';
import { ensureSecrets } from '../servers/secrets.ts';

/** A second clone on the same machine sets DOSTAR_PORT_OFFSET to run beside the first. */
const offset = Number(process.env.DOSTAR_PORT_OFFSET ?? 0);

export const ports = {
  postgres: 15_432 + offset,
  nats: 14_222 + offset,
  smtp: 1_025 + offset,
  mail: 1_080 + offset,
  openId: 1_090 + offset,
  server: 3_000 + offset,
  web: 5_173 + offset,
  amadeus: 3_100 + offset,
  console: 3_400 + offset,
};

export const databases = { directory: 'dostar_directory', shards: ['dostar_shard_0', 'dostar_shard_1'] };

export const folders = {
  postgres: join(devRoot, 'postgres'),
  nats: join(devRoot, 'nats'),
  mail: join(devRoot, 'mail'),
  openId: join(devRoot, 'openid'),
  amadeus: join(devRoot, 'amadeus'),
  /** Same as the server's default. */
  blobs: join(devRoot, 'blobs'),
  logs: join(devRoot, 'log'),
};

/** Written once the sample people are complete. */
export const samplePeopleMarker = join(devRoot, 'sample-people');

function describeDatabase(name: string): string {
  return `postgres://postgres@127.0.0.1:${ports.postgres}/${name}`;
}

export function describeEnvironment(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    ROLES: 'api,gateway,worker,console',
    HOST: '127.0.0.1',
    PORT: String(ports.server),
    CONSOLE_PORT: String(ports.console),
    ORIGIN: `http://localhost:${ports.web},http://127.0.0.1:${ports.web}`,
    DIRECTORY_URL: describeDatabase(databases.directory),
    SHARD_URLS: databases.shards.map((name, index) => `${index}=${describeDatabase(name)}`).join(','),
    NATS_URLS: `nats://127.0.0.1:${ports.nats}`,
    SMTP_URL: `smtp://127.0.0.1:${ports.smtp}`,
    ...ensureSecrets(),
    ...describeOpenId(ports.openId),
    AUTH_REDIRECT_BASE_URL: `http://localhost:${ports.web}`,
    // For the web app's development proxy.
    BACKEND_URL: `http://127.0.0.1:${ports.server}`,
  };
}
