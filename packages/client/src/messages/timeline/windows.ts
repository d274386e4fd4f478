/** Parts of a chat for a list that draws only what is in sight. Cost is in what is drawn, not in how long the chat is. */
import type { ChatId } from '@dostar/protocol/ids';
import type { Db } from '../../storage/open.ts';
import type { MessageRow } from '../../storage/rows.ts';
import { listFrom, listNewest } from '../store.ts';
import type { Message } from './view.ts';

export interface WindowQuery {
  /** The `place` of a message, or of where one was; left out, the end of the chat. */
  anchor?: number;
  /** How many below the anchor, and how many at it and above. */
  older: number;
  newer?: number;
}

export interface TimelineWindow {
  messages: Message[];
  /** Whether there is more here beyond either edge. */
  hasOlder: boolean;
  hasNewer: boolean;
}

export interface RowWindow {
  rows: MessageRow[];
  hasOlder: boolean;
  hasNewer: boolean;
}

/** One row more than asked for on either side tells whether there is more. */
export async function listWindow(db: Db, chat: ChatId, { anchor, older, newer = 0 }: WindowQuery): Promise<RowWindow> {
  const [below, above] = await Promise.all([
    listNewest(db, chat, older + 1, anchor),
    anchor === undefined ? [] : listFrom(db, chat, anchor, newer + 1),
  ]);
  const hasOlder = below.length > older;
  const hasNewer = above.length > newer;
  const rows = [...below.slice(hasOlder ? 1 : 0), ...above.slice(0, newer)];
  return { rows, hasOlder, hasNewer };
}
