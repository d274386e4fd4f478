/**
 * Which part of a chat is held in memory. At the end it grows with the reader up to a point; further back it slides, so
 * that a chat of a hundred thousand messages costs no more than a short one.
 */
import type { Message, TimelineWindow, WindowQuery } from '@dostar/client';

const FIRST = 60;
const STEP = 60;
const MOST_AT_END = 300;
const HALF = 150;

export const atEnd: WindowQuery = { older: FIRST };

export function around(place: number): WindowQuery {
  return { anchor: place, older: HALF, newer: HALF };
}

/** The wish after the reader came near the top. */
export function slideUp(wish: WindowQuery, { messages, hasOlder }: TimelineWindow): WindowQuery {
  if (!hasOlder) return wish;
  if (wish.anchor === undefined && wish.older < MOST_AT_END) return { older: wish.older + STEP };
  return moveTo(messages, Math.floor(messages.length / 4), wish);
}

/** The wish after the reader came near the bottom of a part that is not the end. */
export function slideDown(wish: WindowQuery, { messages, hasNewer }: TimelineWindow): WindowQuery {
  if (wish.anchor === undefined) return wish;
  // Nothing newer is left: from here on what arrives belongs to the window.
  if (!hasNewer) return { older: MOST_AT_END };
  return moveTo(messages, Math.floor((messages.length * 3) / 4), wish);
}

function moveTo(messages: readonly Message[], index: number, wish: WindowQuery): WindowQuery {
  const place = messages[index]?.place;
  return place === undefined ? wish : around(place);
}
