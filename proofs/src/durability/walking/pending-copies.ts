import { type Engines, shardName } from '../../harness/lib/engines.ts';

/** Copies for senders that no process has stored yet. */
export async function countPendingCopies({ shards }: Engines): Promise<number> {
  const counts = await Promise.all(shards.map((shard, id) => shard.sql(shardName(id), 'select count(*) from owed')));
  return counts.reduce((sum, count) => sum + Number(count), 0);
}
