import type { AccountId } from '@dostar/protocol/ids';
import type { ShardDb } from '../../../platform/postgres/pools.ts';

interface DehydratedRow {
  device: string;
  data: string;
}

interface PresentRow extends DehydratedRow {
  madeAt: number;
}

export async function findDehydratedDevice(db: ShardDb, owner: AccountId): Promise<PresentRow | undefined> {
  return db
    .selectFrom('dehydrated_device')
    .select(['device', 'data', 'made_at as madeAt'])
    .where('owner', '=', owner)
    .executeTakeFirst();
}

export async function putDehydratedDevice(
  db: ShardDb,
  owner: AccountId,
  { device, data, madeAt }: PresentRow,
): Promise<void> {
  const row = { device, data, made_at: madeAt };
  await db
    .insertInto('dehydrated_device')
    .values({ owner, ...row })
    .onConflict((conflict) => conflict.column('owner').doUpdateSet(row))
    .execute();
}

export async function deleteDehydratedDevice(db: ShardDb, owner: AccountId): Promise<void> {
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

export async function takeDehydratedArchive(
  db: ShardDb,
  owner: AccountId,
  dueBy = Number.MAX_SAFE_INTEGER,
): Promise<ArchivedRow | undefined> {
  return db
    .deleteFrom('dehydrated_archive')
    .where('owner', '=', owner)
    .where('until', '<=', dueBy)
    .returning(['device', 'data', 'keys'])
    .executeTakeFirst();
}

export async function listExpiredArchives(db: ShardDb, now: number, limit: number): Promise<AccountId[]> {
  const rows = await db
    .selectFrom('dehydrated_archive')
    .select('owner')
    .where('until', '<=', now)
    .orderBy('until')
    .limit(limit)
    .execute();
  return rows.map(({ owner }) => owner as AccountId);
}
