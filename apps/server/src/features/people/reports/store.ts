import type { ReportReason } from '@dostar/protocol/contract/contacts';
import type { AccountId } from '@dostar/protocol/ids';
import type { ShardDb } from '../../../platform/postgres/pools.ts';

export interface NewReport {
  owner: AccountId;
  id: string;
  subject: AccountId;
  reason: ReportReason;
  note: string | null;
  at: number;
}

export interface Report extends NewReport {
  closedAt: number | null;
}

/** Idempotent by id. */
export async function insertReport(db: ShardDb, report: NewReport): Promise<void> {
  await db
    .insertInto('report')
    .values(report)
    .onConflict((conflict) => conflict.columns(['owner', 'id']).doNothing())
    .execute();
}

function selectReports(db: ShardDb) {
  return db
    .selectFrom('report')
    .select(['owner', 'id', 'subject', 'reason', 'note', 'at', 'closed_at as closedAt'])
    .$castTo<Report>();
}

export async function listOpen(db: ShardDb, limit: number): Promise<Report[]> {
  return selectReports(db).where('closed_at', 'is', null).orderBy('at', 'desc').limit(limit).execute();
}

/** The newest reports about an account. */
export async function listAbout(db: ShardDb, subject: AccountId, limit: number): Promise<Report[]> {
  return selectReports(db).where('subject', '=', subject).orderBy('at', 'desc').limit(limit).execute();
}

export async function findById(db: ShardDb, id: string): Promise<Report | undefined> {
  return selectReports(db).where('id', '=', id).executeTakeFirst();
}

export async function setClosed(db: ShardDb, { owner, id }: Report, at: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('report')
    .set({ closed_at: at })
    .where('owner', '=', owner)
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
