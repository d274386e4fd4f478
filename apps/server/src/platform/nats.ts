import { connect } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/transport-node';

/** Once connected it comes back by itself, for ever. `waits`: for the first time too, instead of failing at once. */
export function connectNats(servers: string[], name: string, waits: boolean): Promise<NatsConnection> {
  return connect({
    servers,
    name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 200,
    reconnectJitter: 300,
    waitOnFirstConnect: waits,
    timeout: 5_000,
    pingInterval: 10_000,
    maxPingOut: 2,
  });
}
