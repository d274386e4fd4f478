/** Asks senders' mailboxes before their messages go to another shard, many at a time. */
import { Lane } from '../../../platform/postgres/batch-writer.ts';
import type { Shard } from '../../../platform/postgres/shards.ts';
import { lookAtSenders } from './store.ts';
import type { Intent, SenderLook } from './store.ts';

const KEY = Symbol('sender lane');
const MAX_WAITING = 4_000;
const MAX_BATCH = 400;

type SenderLane = Lane<Intent, SenderLook>;

export function senderLane(shard: Shard): SenderLane {
  return shard.resource<SenderLane>(
    KEY,
    () =>
      new Lane({
        engine: shard.engine,
        breaker: shard.breaker,
        connections: 1,
        maxWaiting: MAX_WAITING,
        maxBatch: MAX_BATCH,
        keysOf: () => [],
        run: lookAtSenders,
      }),
  );
}
