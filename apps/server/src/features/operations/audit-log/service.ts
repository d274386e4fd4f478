/** Audit log of operator commands. The entry is written before the command runs, so a crash leaves a trace. */
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import { findSuccessAt, insertAuditEntry, listAuditEntries, setAuditOutcome, setAuditSubject } from './store.ts';
import type { AuditEntry } from './store.ts';

export interface AuditedCommand {
  /** Records the account that the command is about, once it is known. */
  about(account: AccountId): Promise<void>;
}

export async function recordAuditEntry<T>(
  ctx: Context,
  { operator, words }: { operator: string; words: string },
  task: (audited: AuditedCommand) => Promise<T>,
): Promise<T> {
  const { directory } = ctx;
  const id = await insertAuditEntry(directory, {
    at: ctx.clock.now(),
    operator,
    words,
    subject: null,
    outcome: 'begun',
  });
  try {
    const result = await task({ about: (account) => setAuditSubject(directory, id, account) });
    await setAuditOutcome(directory, id, 'done');
    return result;
  } catch (error) {
    await setAuditOutcome(directory, id, 'failed').catch(() => {});
    throw error;
  }
}

export async function listNewestAuditEntries(ctx: Context, limit: number): Promise<AuditEntry[]> {
  return listAuditEntries(ctx.directory, limit);
}

export async function findLastSuccess(ctx: Context, words: string): Promise<number | undefined> {
  return findSuccessAt(ctx.directory, words);
}
