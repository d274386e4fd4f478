import type { AccountId, ChatId } from '@dostar/protocol/ids';
import { MAX_WATCHED } from '@dostar/protocol/realtime';
import type { Db } from '../storage/open.ts';

/** The leading tab deletes expired rows. Without a leading tab they stay, and a user would seem to type forever. */
export async function listTyping(db: Db, chat: ChatId): Promise<AccountId[]> {
  const rows = await db.signals.where('key').startsWith(`typing/${chat}/`).toArray();
  return rows.flatMap((row) => (row.kind === 'typing' ? [row.from] : []));
}

export async function readLastOnline(db: Db, account: AccountId): Promise<number | null> {
  const row = await db.signals.get(`presence/${account}`);
  return row?.kind === 'presence' ? row.lastOnline : null;
}

/** The accounts that the tabs watch: the newest watches first, as many as the server accepts. */
export async function listWatched(db: Db): Promise<AccountId[]> {
  const rows = await db.signals.where('key').startsWith('watch/').toArray();
  const watches = rows.flatMap((row) => (row.kind === 'watch' ? [row] : []));
  const newestFirst = watches.toSorted((one, other) => other.until - one.until);
  return [...new Set(newestFirst.flatMap(({ accounts }) => accounts))].slice(0, MAX_WATCHED).toSorted();
}
