/**
 * Which part of a chat is held in memory. At the end it grows with the reader up to a point; further back it slides, so
 * that a chat of a hundred thousand messages costs no more than a short one.
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

/** The request after the reader came near the top. */
export function slideUp(query: WindowQuery, { messages, hasOlder }: TimelineWindow): WindowQuery {
  if (!hasOlder) return query;
  if (query.anchor === undefined && query.older < MAX_AT_END) return { older: query.older + STEP };
  return moveTo(messages, Math.floor(messages.length / 4), query);
}

/** The request after the reader came near the bottom of a part that is not the end. */
export function slideDown(query: WindowQuery, { messages, hasNewer }: TimelineWindow): WindowQuery {
  if (query.anchor === undefined) return query;
  // Nothing newer is left: from here on what arrives belongs to the window.
  if (!hasNewer) return { older: MAX_AT_END };
  return moveTo(messages, Math.floor((messages.length * 3) / 4), query);
}

function moveTo(messages: readonly Message[], index: number, query: WindowQuery): WindowQuery {
  const place = messages[index]?.place;
  return place === undefined ? query : around(place);
}
