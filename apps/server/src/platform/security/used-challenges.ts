/** Replay protection for passkey challenges and password logins. A row is kept until the challenge would have expired. */
import type { AccountId } from '@dostar/protocol/ids';
import type { ShardDb } from '../postgres/pools.ts';

/** False if the challenge was used before. */
export async function consumeChallenge(
  db: ShardDb,
  owner: AccountId,
  hash: Buffer,
  { now, expiresAt }: { now: number; expiresAt: number },
): Promise<boolean> {
  await db.deleteFrom('used_challenge').where('owner', '=', owner).where('expires_at', '<', now).execute();
  const result = await db
    .insertInto('used_challenge')
    .values({ owner, hash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.columns(['owner', 'hash']).doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}
