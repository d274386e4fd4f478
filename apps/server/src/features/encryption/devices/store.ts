import type { AccountId, DeviceId } from '@dostar/protocol/ids';
import type { ShardDb } from '../../../platform/postgres/pools.ts';

export interface ListedDevice {
  id: DeviceId;
  session: string;
  name: string | null;
  client: string;
  createdAt: number;
  seenAt: number;
  hasKeys: boolean;
}

/** Devices with a valid session, the last used first. */
export async function listDevices(db: ShardDb, owner: AccountId, now: number): Promise<ListedDevice[]> {
  const rows = await db
    .selectFrom('device as d')
    .innerJoin('session as s', (join) => join.onRef('s.owner', '=', 'd.owner').onRef('s.device', '=', 'd.id'))
    .select([
      'd.id',
      's.id as session',
      'd.name',
      's.client',
      'd.created_at as createdAt',
      'd.seen_at as seenAt',
      (eb) =>
        eb
          .exists(
            eb
              .selectFrom('device_key as k')
              .select('k.owner')
              .whereRef('k.owner', '=', 'd.owner')
              .whereRef('k.device', '=', eb.cast<string>('d.id', 'text')),
          )
          .as('hasKeys'),
    ])
    .where('d.owner', '=', owner)
    .where('s.expires_at', '>', now)
    .orderBy('d.seen_at', 'desc')
    .execute();
  return rows as ListedDevice[];
}

/** False if there is no such device. */
export async function setDeviceName(
  db: ShardDb,
  owner: AccountId,
  id: DeviceId,
  name: string | null,
): Promise<boolean> {
  const result = await db
    .updateTable('device')
    .set({ name })
    .where('owner', '=', owner)
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
