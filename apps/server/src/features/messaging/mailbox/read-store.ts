/** The SQL of unread counts. */
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { ShardDb } from '../../../platform/postgres/pools.ts';

/** Counts the unread entries of each chat that trigger notifications; stops at `max`. */
export async function countUnread(
  db: ShardDb,
  owner: AccountId,
  chats: { chat: ChatId; readKey: string }[],
  max: number,
): Promise<Map<ChatId, number>> {
  const { rows } = await sql<{ chat: ChatId; unread: number }>`
    select chat, unread from count_unread(
      ${owner}, ${chats.map((row) => row.chat)}::uuid[], ${chats.map((row) => row.readKey)}::text[], ${max}
    )`.execute(db);
  return new Map(rows.map((row) => [row.chat, row.unread]));
}
