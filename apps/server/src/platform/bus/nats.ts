import { connect, headers } from '@nats-io/transport-node';
import type { MsgHdrs, NatsConnection } from '@nats-io/transport-node';
import type { Carrier } from '../observability/tracing.ts';

/** Of W3C Trace Context, as everywhere. */
const TRACE_HEADERS = ['traceparent', 'tracestate'];

export interface NatsAddress {
  servers: string[];
  /** `USER:PASSWORD`. */
  credentials?: string | undefined;
}

/** Reconnects without end. `waits`: retries the first connection too, instead of failing at once. */
export function connectNats(address: NatsAddress, name: string, waits: boolean): Promise<NatsConnection> {
  const [user, pass] = address.credentials?.split(/:(.*)/s) ?? [];
  return connect({
    servers: address.servers,
    // With it a server that offers no TLS is refused.
    ...(address.servers.some((server) => server.startsWith('tls://')) && { tls: {} }),
    ...(user !== undefined && pass !== undefined && { user, pass }),
    // A NATS that was restarted with other credentials a moment too early must not end the connection for good.
    ignoreAuthErrorAbort: true,
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

export function toHeaders(carrier: Carrier): MsgHdrs {
  const made = headers();
  for (const [name, value] of Object.entries(carrier)) made.set(name, value);
  return made;
}

/** The trace context of a message; undefined without tracing. */
export function toCarrier(given: MsgHdrs | undefined): Carrier | undefined {
  if (given === undefined) return undefined;
  const pairs = TRACE_HEADERS.map((name): [string, string] => [name, given.get(name)]);
  const known = pairs.filter(([, value]) => value !== '');
  return known.length === 0 ? undefined : Object.fromEntries(known);
}
