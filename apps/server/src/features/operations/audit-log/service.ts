/** The book of what operators did by hand. A line is written before the deed, so that one that dies halfway is seen too. */
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import { findDoneAt, insertDeed, listDeeds, setDeedOutcome, setDeedSubject } from './store.ts';
import type { Deed } from './store.ts';

export interface Doing {
  /** To whom it is done, once that is known. */
  about(account: AccountId): Promise<void>;
}

export async function recordDeed<T>(
  ctx: Context,
  { operator, words }: { operator: string; words: string },
  task: (doing: Doing) => Promise<T>,
): Promise<T> {
  const { directory } = ctx;
  const id = await insertDeed(directory, { at: ctx.clock.now(), operator, words, subject: null, outcome: 'begun' });
  try {
    const result = await task({ about: (account) => setDeedSubject(directory, id, account) });
    await setDeedOutcome(directory, id, 'done');
    return result;
  } catch (error) {
    await setDeedOutcome(directory, id, 'failed').catch(() => {});
    throw error;
  }
}

export async function listNewestDeeds(ctx: Context, limit: number): Promise<Deed[]> {
  return listDeeds(ctx.directory, limit);
}

export async function findLastDone(ctx: Context, words: string): Promise<number | undefined> {
  return findDoneAt(ctx.directory, words);
}
