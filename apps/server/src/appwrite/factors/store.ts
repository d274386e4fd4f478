import type { AccountId } from '@dostar/protocol/ids';
import type { Selectable } from 'kysely';
import type { ShardDb } from '../../platform/postgres/pools.ts';
import type { ShardTables } from '../../platform/postgres/tables/tables.ts';

export type ChallengeRow = Selectable<ShardTables['service_challenge']>;

/** Deletes expired challenges of the account first. */
export async function insertChallenge(db: ShardDb, challenge: ChallengeRow): Promise<void> {
  await db
    .deleteFrom('service_challenge')
    .where('owner', '=', challenge.owner)
    .where('expires_at', '<=', challenge.created_at)
    .execute();
  await db.insertInto('service_challenge').values(challenge).execute();
}

/** Counts the attempt before the code is checked. Undefined for a challenge of another session. */
export async function countAttempt(
  db: ShardDb,
  owner: AccountId,
  { id, session, now }: { id: string; session: string; now: number },
): Promise<ChallengeRow | undefined> {
  return db
    .updateTable('service_challenge')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('owner', '=', owner)
    .where('id', '=', id)
    .where('session', '=', session)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();
}

/** False for the second use. */
export async function deleteChallenge(db: ShardDb, owner: AccountId, id: string): Promise<boolean> {
  const result = await db
    .deleteFrom('service_challenge')
    .where('owner', '=', owner)
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}
