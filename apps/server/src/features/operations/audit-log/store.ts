import type { AccountId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { DirectoryDb } from '../../../platform/postgres/pools.ts';

export interface AuditEntry {
  at: number;
  operator: string;
  words: string;
  subject: AccountId | null;
  outcome: 'begun' | 'done' | 'failed';
}

export async function insertAuditEntry(directory: DirectoryDb, entry: AuditEntry): Promise<number> {
  const { id } = await directory.insertInto('deed').values(entry).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function setAuditSubject(directory: DirectoryDb, id: number, subject: AccountId): Promise<void> {
  await directory.updateTable('deed').set({ subject }).where('id', '=', id).execute();
}

export async function setAuditOutcome(directory: DirectoryDb, id: number, outcome: 'done' | 'failed'): Promise<void> {
  await directory.updateTable('deed').set({ outcome }).where('id', '=', id).execute();
}

export async function listAuditEntries(directory: DirectoryDb, limit: number): Promise<AuditEntry[]> {
  const rows = await directory
    .selectFrom('deed')
    .select(['at', 'operator', 'words', 'subject', 'outcome'])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows as AuditEntry[];
}

/** When a command of exactly these words last succeeded. */
export async function findSuccessAt(directory: DirectoryDb, words: string): Promise<number | undefined> {
  const row = await directory
    .selectFrom('deed')
    .select('at')
    .where('words', '=', words)
    .where('outcome', '=', 'done')
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.at;
}

/** The database decides which entries are old, and refuses to delete others. */
export async function deleteExpiredAuditEntries(directory: DirectoryDb): Promise<void> {
  await directory
    .deleteFrom('deed')
    .where('at', '<', sql<number>`audit_log_start()`)
    .execute();
}
