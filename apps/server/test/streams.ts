import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { PREFIX } from './databases.ts';

/** The streams of one world, or of all earlier runs. */
export async function dropJobs(natsUrl: string, prefix: string = PREFIX): Promise<void> {
  const connection = await connect({ servers: natsUrl });
  const manager = await jetstreamManager(connection);
  for await (const name of manager.streams.names()) {
    // Another run may be faster at cleaning up.
    if (name === prefix || name.startsWith(`${prefix}_`)) await manager.streams.delete(name).catch(() => {});
  }
  await connection.close();
}
