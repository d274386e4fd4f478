import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/transport-node';

export interface KeptMessage {
  subject: string;
  headers: string;
  body: string;
}

/** All messages of a stream, as NATS stores them. */
export async function readStream(natsUrl: string, stream: string): Promise<KeptMessage[]> {
  const connection = await connect({ servers: natsUrl });
  try {
    return await readAll(connection, stream);
  } finally {
    await connection.close();
  }
}

async function readAll(connection: NatsConnection, stream: string): Promise<KeptMessage[]> {
  const manager = await jetstreamManager(connection);
  const { state } = await manager.streams.info(stream);
  const kept: KeptMessage[] = [];
  for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
    const message = await manager.streams.getMessage(stream, { seq }).catch(() => null);
    if (!message) continue;
    const headers = [...message.header].flatMap(([name, values]) => values.map((value) => `${name}: ${value}`));
    kept.push({ subject: message.subject, headers: headers.join('\n'), body: message.string() });
  }
  return kept;
}
