/**
 * Events of `/v1`, published once and after the commit to listeners that may read them. A client that was offline queries
 * instead.
 */
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../context.ts';
import { writeBigJson } from '../../platform/http/bigint-json.ts';
import { writeTime } from '../time.ts';

/** NATS accepts a megabyte. A larger event is dropped; clients query instead. */
const MAX_BYTES = 512 * 1024;

export type EventAction = 'create' | 'update' | 'upsert' | 'delete';

export interface AppwriteEvent {
  /** The collection, bucket or account: its listeners receive the event. */
  owner: AccountId;
  /** Alternating names and ids: `databases`, its id, `collections`, its id … */
  path: readonly string[];
  channels: readonly string[];
  action: EventAction;
  /** The roles that may receive it. */
  readers: readonly string[];
  payload: unknown;
}

/** On the bus: what decides who receives it, and the data. */
export interface DeliveredEvent {
  channels: string[];
  readers: string[];
  /** JSON of an object. */
  data: string;
}

export function eventSubject(owner: AccountId): string {
  return `v1.${owner}`;
}

export function publishEvent(ctx: Context, { owner, path, channels, action, readers, payload }: AppwriteEvent): void {
  const all = channels.flatMap((channel) => [channel, `${channel}.${action}`]);
  const timestamp = writeTime(ctx.clock.now());
  const data = writeBigJson({ events: nameEvents(path, action), channels: all, timestamp, payload });
  const text = `${JSON.stringify({ channels: all, readers })}\n${data}`;
  if (Buffer.byteLength(text) <= MAX_BYTES) ctx.bus.publish(eventSubject(owner), text);
}

export function readEvent(text: string): DeliveredEvent {
  const cut = text.indexOf('\n');
  return { ...(JSON.parse(text.slice(0, cut)) as Omit<DeliveredEvent, 'data'>), data: text.slice(cut + 1) };
}

/** The full name first, then all names with `*` for one or more ids. */
function nameEvents(path: readonly string[], action: EventAction): string[] {
  const ids = Math.floor(path.length / 2);
  const names = Array.from({ length: 2 ** ids }, (_, mask) =>
    path.map((part, n) => (n % 2 === 1 && mask & (1 << ((n - 1) / 2)) ? '*' : part)).join('.'),
  );
  return [...names.map((name) => `${name}.${action}`), ...names];
}
