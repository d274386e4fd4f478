/** The SQL of deleted devices. */
import type { AccountId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { ShardDb } from '../../../platform/postgres/pools.ts';

/** Keeps the newest `kept` of the account. */
export async function putDeletedDevice(
  db: ShardDb,
  owner: AccountId,
  { device, keys, now, kept }: { device: string; keys: string; now: number; kept: number },
): Promise<void> {
  await db
    .insertInto('former_device')
    .values({ owner, device, keys, gone_at: now })
    .onConflict((conflict) => conflict.columns(['owner', 'device']).doUpdateSet({ keys, gone_at: now }))
    .execute();
  await sql`
    delete from former_device where owner = ${owner} and device not in (
      select device from former_device where owner = ${owner} order by gone_at desc, device limit ${kept}
    )`.execute(db);
}

export async function readDeletedDevices(db: ShardDb, owners: AccountId[]) {
  const { rows } = await sql<{ owner: AccountId; isFrozen: boolean; devices: string[] }>`
    select m.owner, m.frozen as "isFrozen",
      array(select f.keys from former_device f where f.owner = m.owner) as devices
    from mailbox m where m.owner = any (${owners}::uuid[])`.execute(db);
  return rows;
}
