import type { AccountId, DeviceId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { ShardDb } from '../../platform/postgres.ts';

export interface NewSession {
  owner: AccountId;
  id: string;
  device: DeviceId;
  secretHash: Buffer;
  createdAt: number;
  expiresAt: number;
}

export async function insertSession(db: ShardDb, session: NewSession): Promise<void> {
  await db
    .insertInto('session')
    .values({
      owner: session.owner,
      id: session.id,
      device: session.device,
      secret_hash: session.secretHash,
      created_at: session.createdAt,
      expires_at: session.expiresAt,
    })
    .execute();
}

export async function insertDevice(db: ShardDb, owner: AccountId, id: DeviceId, createdAt: number): Promise<void> {
  await db.insertInto('device').values({ owner, id, created_at: createdAt }).execute();
}

export async function findSession(db: ShardDb, owner: AccountId, secretHash: Buffer) {
  return db
    .selectFrom('session')
    .select(['id', 'device', 'expires_at as expiresAt'])
    .where('owner', '=', owner)
    .where('secret_hash', '=', secretHash)
    .executeTakeFirst();
}

export async function deleteSession(db: ShardDb, owner: AccountId, id: string): Promise<void> {
  await db.deleteFrom('session').where('owner', '=', owner).where('id', '=', id).execute();
}

/** Of the sessions asked about, those that still live. */
export async function listLive(db: ShardDb, asked: { owner: AccountId; id: string }[], now: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select s.id from session s
    join unnest(${asked.map((row) => row.owner)}::uuid[], ${asked.map((row) => row.id)}::uuid[]) as a (owner, id)
      on s.owner = a.owner and s.id = a.id
    where s.expires_at > ${now}`.execute(db);
  return rows.map((row) => row.id);
}
