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

/** Tests neither kill this cluster nor measure its disk. A proof that does so starts its own cluster. */
const UNSAFE = { fsync: 'off', full_page_writes: 'off' };

/** Starts or adopts the engines that tests share. They run until `./dev down`. Safe from several processes at once. */
export function ensureTestEngines(): Promise<TestEngines> {
  return withLock(join(folder, 'lock'), async () => {
    const [postgres, nats] = await Promise.all([ensurePostgres('postgres', UNSAFE), ensureNats()]);
    return { postgres, nats };
  });
}

/** For tests that need an installation's database settings, on which a server may rely. */
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
