/** Windows of a chat for a virtual list: a read costs as much as its window, however long the chat is. */
import type { ChatId } from '@dostar/protocol/ids';
import type { Db } from '../../storage/open.ts';
import type { MessageRow } from '../../storage/rows.ts';
import { listFrom, listNewest } from '../store.ts';
import type { Message } from './view.ts';

export interface WindowQuery {
  /** The `place` of a present or former message; by default the end of the chat. */
  anchor?: number;
  /** How many messages below the anchor, and how many at and above it. */
  older: number;
  newer?: number;
}

export interface TimelineWindow {
  messages: Message[];
  /** Whether this device has more messages beyond either edge. */
  hasOlder: boolean;
  hasNewer: boolean;
}

export interface RowWindow {
  rows: MessageRow[];
  hasOlder: boolean;
  hasNewer: boolean;
}

/** Reads one more row on either side, to know whether there are more. */
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
