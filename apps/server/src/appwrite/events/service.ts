/**
 * What happens on `/v1`, told to whoever listens and may read it. Told once and after the commit: who was away asks.
 */
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../context.ts';
import { writeBigJson } from '../../platform/http/bigint-json.ts';
import { writeTime } from '../time.ts';

/** The bus takes a megabyte; what is larger is not told but read. */
const MAX_BYTES = 512 * 1024;

export type Doing = 'create' | 'update' | 'upsert' | 'delete';

export interface Happening {
  /** Of the collection, the bucket or the account: whoever listens to it hears this. */
  owner: AccountId;
  /** Names and ids by turns: `databases`, its id, `collections`, its id … */
  path: readonly string[];
  channels: readonly string[];
  doing: Doing;
  /** The roles that may hear of it. */
  readers: readonly string[];
  payload: unknown;
}

/** As it travels: what decides who hears it, then what they hear. */
export interface Heard {
  channels: string[];
  readers: string[];
  /** JSON of an object. */
  data: string;
}

export function subjectOf(owner: AccountId): string {
  return `v1.${owner}`;
}

export function tell(ctx: Context, { owner, path, channels, doing, readers, payload }: Happening): void {
  const all = channels.flatMap((channel) => [channel, `${channel}.${doing}`]);
  const timestamp = writeTime(ctx.clock.now());
  const data = writeBigJson({ events: nameEvents(path, doing), channels: all, timestamp, payload });
  const text = `${JSON.stringify({ channels: all, readers })}\n${data}`;
  if (Buffer.byteLength(text) <= MAX_BYTES) ctx.bus.publish(subjectOf(owner), text);
}

export function readHeard(text: string): Heard {
  const cut = text.indexOf('\n');
  return { ...(JSON.parse(text.slice(0, cut)) as Omit<Heard, 'data'>), data: text.slice(cut + 1) };
}

/** The very name first, then all in which a star stands for an id. */
function nameEvents(path: readonly string[], doing: Doing): string[] {
  const ids = Math.floor(path.length / 2);
  const names = Array.from({ length: 2 ** ids }, (_, mask) =>
    path.map((part, n) => (n % 2 === 1 && mask & (1 << ((n - 1) / 2)) ? '*' : part)).join('.'),
  );
  return [...names.map((name) => `${name}.${doing}`), ...names];
}
