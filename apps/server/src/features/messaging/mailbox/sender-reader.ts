/** Reads the state of senders' mailboxes before their messages go to another shard, many at a time. */
import { BatchWriter } from '../../../platform/postgres/batch-writer.ts';
import type { Shard } from '../../../platform/postgres/shards.ts';
import { readSenderStates } from './store.ts';
import type { SendAttempt, SenderState } from './store.ts';

const KEY = Symbol('sender reader');
const MAX_WAITING = 4_000;
const MAX_BATCH = 400;

type SenderReader = BatchWriter<SendAttempt, SenderState>;

export function senderReader(shard: Shard): SenderReader {
  return shard.resource<SenderReader>(
    KEY,
    () =>
      new BatchWriter({
        database: shard.database,
        breaker: shard.breaker,
        connections: 1,
        maxWaiting: MAX_WAITING,
        maxBatch: MAX_BATCH,
        run: readSenderStates,
      }),
  );
}
