/** What stands in a timeline, from top to bottom: days, the line above what is new, and messages that know their place in a group. */

/** As much of a message as its place depends on. */
interface Placed {
  id: string;
  sender: string;
  at: number;
}

export type Row<M extends Placed> =
  | { kind: 'day'; key: string; at: number }
  | { kind: 'unread'; key: string }
  | { kind: 'message'; key: string; message: M; isFirst: boolean; isLast: boolean }
  /** Pictures sent together: one bubble. */
  | { kind: 'album'; key: string; messages: M[]; isFirst: boolean; isLast: boolean };

const GROUP_MS = 5 * 60_000;

interface RowOptions<M> {
  /** The first message that was new when the chat was opened. */
  unreadFrom?: string | undefined;
  /** Which album a message belongs to. */
  albumOf?: (message: M) => string | undefined;
  /** More stands above what is listed. */
  hasOlder?: boolean;
}

/**
 * Where more stands above, the first message is left out until it is known what it follows: a day or a group that begins
 * higher up once more of it comes would move what is being read.
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

/** The row that shows a message; -1 if none does. */
export function findRow<M extends Placed>(rows: readonly Row<M>[], id: string): number {
  return rows.findIndex((row) => {
    if (row.kind === 'message') return row.message.id === id;
    return row.kind === 'album' && row.messages.some((message) => message.id === id);
  });
}

/** How far back the rest of an album is looked for: its pictures arrive one by one, and others may speak between. */
const LOOK_BACK = 12;

/** Pictures of one album stand where its first one does, unless the day or the line of what is new parts them. */
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

/** The reader's calendar day; one key per day however the zone changes its offset. */
function dayOf(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${date.getMonth()}-${date.getDate()}`;
}
