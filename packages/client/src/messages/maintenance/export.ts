/** Reads all decrypted messages of this device, for an export to a file. */
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import type { Db } from '../../storage/open.ts';
import { listFrom, pageTables, readPage } from '../store.ts';
import { type ContentReader, type Message, openPage } from '../timeline/view.ts';

/** Consecutive messages of a chat; the next piece continues the same chat or begins the next. */
export interface ExportedPiece {
  chat: ChatId;
  /** The other account of the chat, if it is known. */
  peer?: AccountId;
  messages: Message[];
}

/** How many messages are in memory at a time. */
const PIECE = 500;

export async function* exportChats(db: Db, account: AccountId, reader: ContentReader): AsyncGenerator<ExportedPiece> {
  for (const { chat, peer } of await db.chats.orderBy('pos').reverse().toArray()) {
    let from = -Infinity;
    for (;;) {
      const start = from;
      const page = await db.transaction('r', pageTables(db), async () =>
        readPage(db, account, await listFrom(db, chat, start, PIECE)),
      );
      const last = page.rows.at(-1);
      if (last === undefined) break;
      yield { chat, ...(peer !== undefined && { peer }), messages: await openPage(page, reader) };
      from = (last.slot ?? last.pos) + 1;
    }
  }
}
