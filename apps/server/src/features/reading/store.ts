import type { AccountId, ChatId } from '@dostar/protocol/ids';
import type { ShardDb } from '../../platform/postgres.ts';

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
  const rows = await db
    .selectFrom('log as l')
    .leftJoin('register as r', (join) => join.onRef('r.owner', '=', 'l.owner').on('r.key', '=', key))
    .select((eb) => ['l.sender', eb.fn.max('l.seq').as('seq')])
    .where('l.owner', '=', owner)
    .where('l.chat', '=', chat)
    .where('l.seq', '<=', upTo)
    .where((eb) => eb('l.seq', '>', eb.fn.coalesce('r.mark', eb.lit(0))))
    .groupBy('l.sender')
    .execute();
  return rows as ReadUpTo[];
}
