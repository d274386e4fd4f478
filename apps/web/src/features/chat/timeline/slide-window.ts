/**
 * Part of a chat that is loaded into memory. At the end of the chat it grows up to a limit; further up it slides, so
 * that a chat of a hundred thousand messages needs no more memory than a short one.
 */
import type { Message, TimelineWindow, WindowQuery } from '@dostar/client';

const FIRST = 60;
const STEP = 60;
const MAX_AT_END = 300;
const HALF = 150;

export const atEnd: WindowQuery = { older: FIRST };

export function around(place: number): WindowQuery {
  return { anchor: place, older: HALF, newer: HALF };
}

/** Next query after the user scrolls near the top. */
export function slideUp(query: WindowQuery, { messages, hasOlder }: TimelineWindow): WindowQuery {
  if (!hasOlder) return query;
  if (query.anchor === undefined && query.older < MAX_AT_END) return { older: query.older + STEP };
  return moveTo(messages, Math.floor(messages.length / 4), query);
}

/** Next query after the user scrolls near the bottom of a window that does not include the end. */
export function slideDown(query: WindowQuery, { messages, hasNewer }: TimelineWindow): WindowQuery {
  if (query.anchor === undefined) return query;
  // The window has reached the end of the chat: from now on it includes new messages.
  if (!hasNewer) return { older: MAX_AT_END };
  return moveTo(messages, Math.floor((messages.length * 3) / 4), query);
}

function moveTo(messages: readonly Message[], index: number, query: WindowQuery): WindowQuery {
  const place = messages[index]?.place;
  return place === undefined ? query : around(place);
}
