import type { FactorKind } from '@dostar/protocol/contract/second-factors';
import type { AccountId } from '@dostar/protocol/ids';
import type { ShardDb } from '../../../platform/postgres/pools.ts';

export interface Factor {
  kind: FactorKind;
  sealed: string | null;
  confirmedAt: number | null;
  lastUsedAt: number | null;
}

export async function listFactors(db: ShardDb, owner: AccountId): Promise<Factor[]> {
  return db
    .selectFrom('factor')
    .select(['kind', 'sealed', 'confirmed_at as confirmedAt', 'last_used_at as lastUsedAt'])
    .where('owner', '=', owner)
    .orderBy('created_at')
    .limit(10)
    .execute();
}

/** Replaces an unconfirmed factor of the kind. False if there is a confirmed one. */
export async function putFactor(
  db: ShardDb,
  owner: AccountId,
  { kind, sealed }: { kind: FactorKind; sealed: string | null },
  now: number,
): Promise<boolean> {
  const result = await db
    .insertInto('factor')
    .values({ owner, kind, sealed, confirmed_at: null, last_step: null, last_used_at: null, created_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['owner', 'kind'])
        .doUpdateSet({ sealed, last_step: null, created_at: now })
        .where('factor.confirmed_at', 'is', null),
    )
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** False if it is confirmed already. */
export async function setConfirmed(db: ShardDb, owner: AccountId, kind: FactorKind, now: number): Promise<boolean> {
  const result = await db
    .updateTable('factor')
    .set({ confirmed_at: now })
    .where('owner', '=', owner)
    .where('kind', '=', kind)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Factors that were added or confirmed since then. */
export async function deleteFactorsSince(db: ShardDb, owner: AccountId, moment: number): Promise<void> {
  await db
    .deleteFrom('factor')
    .where('owner', '=', owner)
    .where((eb) => eb.or([eb('created_at', '>=', moment), eb('confirmed_at', '>=', moment)]))
    .execute();
}

/** Of two requests with one code, one succeeds: steps only increase. */
export async function consumeTotpStep(db: ShardDb, owner: AccountId, step: number): Promise<boolean> {
  const result = await db
    .updateTable('factor')
    .set({ last_step: step })
    .where('owner', '=', owner)
    .where('kind', '=', 'totp')
    .where((eb) => eb.or([eb('last_step', 'is', null), eb('last_step', '<', step)]))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function setUsed(db: ShardDb, owner: AccountId, kind: FactorKind, now: number): Promise<void> {
  await db
    .updateTable('factor')
    .set({ last_used_at: now })
    .where('owner', '=', owner)
    .where('kind', '=', kind)
    .execute();
}

export async function deleteFactor(db: ShardDb, owner: AccountId, kind: FactorKind): Promise<void> {
  await db.deleteFrom('factor').where('owner', '=', owner).where('kind', '=', kind).execute();
}

export async function replaceRecoveryCodes(
  db: ShardDb,
  owner: AccountId,
  codes: { hash: Buffer; sealed: string | null }[],
  now: number,
): Promise<void> {
  await db.deleteFrom('recovery_code').where('owner', '=', owner).execute();
  if (codes.length === 0) return;
  await db
    .insertInto('recovery_code')
    .values(codes.map((code) => ({ owner, ...code, created_at: now, used_at: null })))
    .execute();
}

export async function listCodes(db: ShardDb, owner: AccountId) {
  return db
    .selectFrom('recovery_code')
    .select(['hash', 'sealed', 'used_at as usedAt'])
    .where('owner', '=', owner)
    .limit(100)
    .execute();
}

/** How many are unused; undefined if the account has none at all. */
export async function countRecoveryCodes(db: ShardDb, owner: AccountId): Promise<number | undefined> {
  const rows = await listCodes(db, owner);
  return rows.length === 0 ? undefined : rows.filter(({ usedAt }) => usedAt === null).length;
}

/** False if no unused code has one of these hashes. */
export async function consumeRecoveryCode(
  db: ShardDb,
  owner: AccountId,
  hashes: Buffer[],
  now: number,
): Promise<boolean> {
  const result = await db
    .updateTable('recovery_code')
    .set({ used_at: now })
    .where('owner', '=', owner)
    .where('hash', 'in', hashes)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

interface CodeKey {
  owner: AccountId;
  session: string;
  purpose: string;
}

/** False if a code was sent a moment ago: of two parallel requests, one sends. */
export async function putSessionCode(
  db: ShardDb,
  { owner, session, purpose, hash, sentAt, notAfter }: CodeKey & { hash: Buffer; sentAt: number; notAfter: number },
): Promise<boolean> {
  const result = await db
    .insertInto('session_code')
    .values({ owner, session, purpose, hash, sent_at: sentAt })
    .onConflict((conflict) =>
      conflict
        .columns(['owner', 'session', 'purpose'])
        .doUpdateSet({ hash, sent_at: sentAt, tries: 0 })
        .where('session_code.sent_at', '<=', notAfter),
    )
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function countSessionCodeAttempt(db: ShardDb, key: CodeKey) {
  return db
    .updateTable('session_code')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('owner', '=', key.owner)
    .where('session', '=', key.session)
    .where('purpose', '=', key.purpose)
    .returning(['hash', 'sent_at as sentAt', 'tries'])
    .executeTakeFirst();
}

/** A code works once: false for the second use. */
export async function consumeSessionCode(db: ShardDb, key: CodeKey): Promise<boolean> {
  const result = await db
    .deleteFrom('session_code')
    .where('owner', '=', key.owner)
    .where('session', '=', key.session)
    .where('purpose', '=', key.purpose)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function deleteOldSessionCodes(db: ShardDb, owner: AccountId, before: number): Promise<void> {
  await db.deleteFrom('session_code').where('owner', '=', owner).where('sent_at', '<', before).execute();
}

/** A page of the encrypted secrets of a shard, ordered by owner. */
export async function listSealed(db: ShardDb, after: { owner: string; kind: string }, limit: number) {
  return db
    .selectFrom('factor')
    .select(['owner', 'kind', 'sealed'])
    .where((eb) => eb(eb.refTuple('owner', 'kind'), '>', eb.tuple(after.owner, after.kind as FactorKind)))
    .where('sealed', 'is not', null)
    .orderBy('owner')
    .orderBy('kind')
    .limit(limit)
    .execute();
}

/** Only if it is unchanged since it was read: a factor set up again is encrypted with the new key already. */
export async function replaceSealed(
  db: ShardDb,
  owner: AccountId,
  kind: FactorKind,
  change: { from: string; to: string },
): Promise<void> {
  await db
    .updateTable('factor')
    .set({ sealed: change.to })
    .where('owner', '=', owner)
    .where('kind', '=', kind)
    .where('sealed', '=', change.from)
    .execute();
}

/** A page of the encrypted recovery codes of a shard, ordered by owner. */
export async function listSealedCodes(db: ShardDb, after: { owner: string; hash: Buffer }, limit: number) {
  return db
    .selectFrom('recovery_code')
    .select(['owner', 'hash', 'sealed'])
    .where((eb) => eb(eb.refTuple('owner', 'hash'), '>', eb.tuple(after.owner, after.hash)))
    .where('sealed', 'is not', null)
    .orderBy('owner')
    .orderBy('hash')
    .limit(limit)
    .execute();
}

export async function replaceSealedCode(db: ShardDb, owner: AccountId, hash: Buffer, to: string): Promise<void> {
  await db
    .updateTable('recovery_code')
    .set({ sealed: to })
    .where('owner', '=', owner)
    .where('hash', '=', hash)
    .execute();
}
