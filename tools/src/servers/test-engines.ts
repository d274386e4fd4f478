import { join } from 'node:path';
import { devRoot } from './folders.ts';
import { withLock } from './lock.ts';
import { startNats } from './nats.ts';
import type { Nats } from './nats.ts';
import { freePortNear } from './ports.ts';
import { startPostgres } from './postgres.ts';
import type { Postgres } from './postgres.ts';
import { findRunning } from './records.ts';

export interface TestEngines {
  postgres: Postgres;
  nats: Nats;
}

const folder = join(devRoot, 'test');

/** No test kills this cluster or measures its disk. A proof that does either starts a cluster of its own. */
const UNSAFE = { fsync: 'off', full_page_writes: 'off' };

/** The engines tests share. They stay for the next run; `./dev down` stops them. Safe from several processes at once. */
export function ensureTestEngines(): Promise<TestEngines> {
  return withLock(join(folder, 'lock'), async () => {
    const [postgres, nats] = await Promise.all([ensurePostgres('postgres', UNSAFE), ensureNats()]);
    return { postgres, nats };
  });
}

/** For tests of what an installation's own database is like: with the settings a server may rely on. */
export function ensureDurablePostgres(): Promise<Postgres> {
  return withLock(join(folder, 'durable-lock'), () => ensurePostgres('durable-postgres', {}));
}

async function ensurePostgres(name: string, settings: Record<string, string>): Promise<Postgres> {
  const record = `test-${name}`;
  const port = findRunning(record)?.port ?? (await freePortNear(15_450));
  return await startPostgres({ dir: join(folder, name), port, record, settings });
}

async function ensureNats(): Promise<Nats> {
  const record = 'test-nats';
  const port = findRunning(record)?.port ?? (await freePortNear(14_250));
  return await startNats({ dir: join(folder, 'nats'), port, record });
}
