import type { AccountId, ChatId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { ShardDb } from '../../../platform/postgres/pools.ts';

export interface Reader {
  owner: AccountId;
  chat: ChatId;
  /** The register that says how far the owner has read already. */
  key: string;
}

export interface ReadUpTo {
  sender: AccountId;
  seq: number;
}

/** The last entry of each sender, the reader included, between the old mark and `upTo`. */
export async function listReadUpTo(db: ShardDb, { owner, chat, key }: Reader, upTo: number): Promise<ReadUpTo[]> {
  const { rows } = await sql<ReadUpTo>`
    select sender, seq from list_read_up_to(${owner}, ${chat}, ${key}, ${upTo})`.execute(db);
  return rows;
}
