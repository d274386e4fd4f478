/** The SQL of what has been read and what has not. */
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { ShardDb } from '../../platform/postgres.ts';

/** How many entries of each chat ring and lie beyond its read mark; counting stops at `max`. */
export async function countUnread(
  db: ShardDb,
  owner: AccountId,
  chats: { chat: ChatId; readKey: string }[],
  max: number,
): Promise<Map<ChatId, number>> {
  const { rows } = await sql<{ chat: ChatId; unread: number }>`
    select c.chat, u.unread
    from unnest(${chats.map((row) => row.chat)}::uuid[], ${chats.map((row) => row.readKey)}::text[]) as c (chat, key)
    left join register r on r.owner = ${owner} and r.key = c.key, lateral (
      select count(*) as unread from (
        select from log l where l.owner = ${owner} and l.chat = c.chat and l.seq > coalesce(r.mark, 0)
          and l.rings and l.body is not null and l.sender <> l.owner limit ${max}
      ) ringing
    ) u`.execute(db);
  return new Map(rows.map((row) => [row.chat, row.unread]));
}
