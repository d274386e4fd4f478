/** Reads heads of mailboxes, many at a time: ten thousand clients that reconnect together cost a few queries. */
import type { AccountId } from '@dostar/protocol/ids';
import { BatchWriter } from '../../../platform/postgres/batch-writer.ts';
import type { Shard } from '../../../platform/postgres/shards.ts';
import { readHeads } from './store.ts';
import type { Head } from './store.ts';

const KEY = Symbol('head reader');
const MAX_WAITING = 50_000;
const MAX_BATCH = 1_000;

type HeadReader = BatchWriter<AccountId, Head | undefined>;

export function headReader(shard: Shard): HeadReader {
  return shard.resource<HeadReader>(
    KEY,
    () =>
      new BatchWriter({
        database: shard.database,
        breaker: shard.breaker,
        connections: 1,
        maxWaiting: MAX_WAITING,
        maxBatch: MAX_BATCH,
        run: async (client, owners) => {
          const heads = await readHeads(client, owners);
          const byOwner = new Map(heads.map((head) => [head.owner, head]));
          return owners.map((owner) => byOwner.get(owner));
        },
      }),
  );
}
