/** Rows of a timeline from top to bottom: dates, the unread line, and messages with their position in a group. */

/** The fields of a message that decide its position. */
interface Placed {
  id: string;
  sender: string;
  at: number;
}

export type Row<M extends Placed> =
  | { kind: 'day'; key: string; at: number }
  | { kind: 'unread'; key: string }
  | { kind: 'message'; key: string; message: M; isFirst: boolean; isLast: boolean }
  /** Pictures sent together, shown in one bubble. */
  | { kind: 'album'; key: string; messages: M[]; isFirst: boolean; isLast: boolean };

const GROUP_MS = 5 * 60_000;

interface RowOptions<M> {
  /** Id of the first message that was unread when the chat was opened. */
  unreadFrom?: string | undefined;
  /** Returns the album id of a message, if any. */
  albumOf?: (message: M) => string | undefined;
  /** True if older messages exist above the listed ones. */
  hasOlder?: boolean;
}

/**
 * If older messages exist, leaves out the first listed one until its predecessor is loaded. Otherwise its date row or
 * group could change when the older messages arrive, which would move the text being read.
 */
export function listRows<M extends Placed>(messages: readonly M[], options: RowOptions<M> = {}): Row<M>[] {
  const { unreadFrom, albumOf, hasOlder = false } = options;
  const rows: Row<M>[] = [];
  const parts = splitAlbums(messages, options);
  const isOpenAbove = hasOlder && parts.length > 1 && parts[0]![0]!.id !== unreadFrom;
  let before = isOpenAbove ? parts.shift()!.at(-1) : undefined;
  for (const [index, together] of parts.entries()) {
    const first = together[0]!;
    const last = together.at(-1)!;
    const after = parts[index + 1]?.[0];
    const isNewDay = before === undefined || dayOf(before.at) !== dayOf(first.at);
    const isFirstUnread = first.id === unreadFrom;
    if (isNewDay) rows.push({ kind: 'day', key: `day/${dayOf(first.at)}`, at: first.at });
    if (isFirstUnread) rows.push({ kind: 'unread', key: 'unread' });
    const place = {
      isFirst: isNewDay || isFirstUnread || before === undefined || !isTogether(before, first),
      isLast: after === undefined || after.id === unreadFrom || !isTogether(last, after),
    };
    if (albumOf?.(first) === undefined) rows.push({ kind: 'message', key: first.id, message: first, ...place });
    else rows.push({ kind: 'album', key: `album/${first.id}`, messages: together, ...place });
    before = last;
  }
  return rows;
}

/** Index of the row that shows a message, or -1. */
export function findRow<M extends Placed>(rows: readonly Row<M>[], id: string): number {
  return rows.findIndex((row) => {
    if (row.kind === 'message') return row.message.id === id;
    return row.kind === 'album' && row.messages.some((message) => message.id === id);
  });
}

/** Rows to search for the rest of an album: its pictures arrive one by one, with other messages in between. */
const LOOK_BACK = 12;

/** Groups the pictures of an album at the first one, unless a date row or the unread line separates them. */
function splitAlbums<M extends Placed>(messages: readonly M[], { unreadFrom, albumOf }: RowOptions<M>): M[][] {
  const parts: M[][] = [];
  let isBehindLine = false;
  for (const message of messages) {
    const album = albumOf?.(message);
    if (message.id === unreadFrom) isBehindLine = true;
    const earlier = album === undefined ? undefined : findPart(parts, message);
    if (earlier === undefined) parts.push([message]);
    else earlier.push(message);
  }
  return parts;

  function findPart(all: M[][], message: M): M[] | undefined {
    const line = isBehindLine ? all.findIndex(([first]) => first?.id === unreadFrom) : 0;
    if (line < 0) return undefined;
    return all.slice(Math.max(line, all.length - LOOK_BACK)).findLast((part) => {
      const before = part.at(-1);
      return before !== undefined && albumOf?.(before) === albumOf?.(message) && isTogether(before, message);
    });
  }
}

function isTogether(before: Placed, after: Placed): boolean {
  return before.sender === after.sender && after.at - before.at < GROUP_MS && dayOf(before.at) === dayOf(after.at);
}

/** Calendar day in the user's time zone. Stable when the zone's offset changes. */
function dayOf(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${date.getMonth()}-${date.getDate()}`;
}
