import { jetstreamManager } from '@nats-io/jetstream';
import { connectNats } from '../src/platform/bus/nats.ts';
import { isLeftover } from './databases.ts';

/** Deletes the streams of one test cluster. */
export async function dropJobs(natsUrl: string, prefix: string, credentials?: string): Promise<void> {
  await dropStreams(natsUrl, (name) => name === prefix || name.startsWith(`${prefix}_`), credentials);
}

/** Deletes streams of runs that have ended. */
export async function dropLeftoverJobs(natsUrl: string): Promise<void> {
  await dropStreams(natsUrl, isLeftover);
}

async function dropStreams(
  natsUrl: string,
  isUnwanted: (name: string) => boolean,
  credentials?: string,
): Promise<void> {
  const connection = await connectNats({ servers: [natsUrl], credentials }, 'test', false);
  const manager = await jetstreamManager(connection);
  for await (const name of manager.streams.names()) {
    // A concurrent run may have deleted it already.
    if (isUnwanted(name)) await manager.streams.delete(name).catch(() => {});
  }
  await connection.close();
}
