import type { AccountId } from '@dostar/protocol/ids';
import type { ShardDb } from '../../platform/postgres.ts';

export interface DehydratedRow {
  device: string;
  data: string;
}

export async function findDehydrated(db: ShardDb, owner: AccountId): Promise<DehydratedRow | undefined> {
  return db.selectFrom('dehydrated_device').select(['device', 'data']).where('owner', '=', owner).executeTakeFirst();
}

export async function putDehydrated(db: ShardDb, owner: AccountId, { device, data }: DehydratedRow): Promise<void> {
  await db
    .insertInto('dehydrated_device')
    .values({ owner, device, data })
    .onConflict((conflict) => conflict.column('owner').doUpdateSet({ device, data }))
    .execute();
}

export async function deleteDehydrated(db: ShardDb, owner: AccountId): Promise<void> {
  await db.deleteFrom('dehydrated_device').where('owner', '=', owner).execute();
}

interface ArchivedRow extends DehydratedRow {
  keys: string;
}

export async function findDehydratedArchive(db: ShardDb, owner: AccountId): Promise<{ device: string } | undefined> {
  return db.selectFrom('dehydrated_archive').select('device').where('owner', '=', owner).executeTakeFirst();
}

export async function insertDehydratedArchive(
  db: ShardDb,
  owner: AccountId,
  { device, data, keys, until }: ArchivedRow & { until: number },
): Promise<void> {
  await db.insertInto('dehydrated_archive').values({ owner, device, data, keys, until }).execute();
}

export async function takeDehydratedArchive(db: ShardDb, owner: AccountId): Promise<ArchivedRow | undefined> {
  return db
    .deleteFrom('dehydrated_archive')
    .where('owner', '=', owner)
    .returning(['device', 'data', 'keys'])
    .executeTakeFirst();
}

export async function takeExpiredArchives(db: ShardDb, now: number): Promise<{ owner: AccountId; device: string }[]> {
  const rows = await db
    .deleteFrom('dehydrated_archive')
    .where('until', '<=', now)
    .returning(['owner', 'device'])
    .execute();
  return rows.map(({ owner, device }) => ({ owner: owner as AccountId, device }));
}
