import type { Message, WindowQuery } from '@dostar/client';
import { expect, test } from 'vitest';
import { around, atEnd, slideDown, slideUp } from './slide-window.ts';

const CHAT = 5000;

/** Answers like the local database, for a chat with messages at places 0 … CHAT - 1. */
function look({ anchor, older, newer = 0 }: WindowQuery) {
  const at = anchor ?? CHAT;
  const from = Math.max(0, at - older);
  const to = anchor === undefined ? CHAT : Math.min(CHAT, at + newer);
  const messages = Array.from({ length: to - from }, (_, index) => ({ place: from + index }) as Message);
  return { messages, hasOlder: from > 0, hasNewer: to < CHAT };
}

test('scrolling up reaches the first message with overlapping windows of at most 300', () => {
  let query: WindowQuery = atEnd;
  let steps = 0;
  while (look(query).hasOlder) {
    const top = look(query).messages[0]?.place ?? 0;
    query = slideUp(query, look(query));
    const places = look(query).messages.map(({ place }) => place);
    expect(places).toContain(top);
    expect(places.length).toBeLessThanOrEqual(300);
    expect(places[0]).toBeLessThan(top);
    steps += 1;
  }
  expect(steps).toBeLessThan(100);
});

test('scrolling down returns to a window that follows new messages', () => {
  let query = around(1000);
  while (query.anchor !== undefined) {
    const bottom = look(query).messages.at(-1)?.place ?? 0;
    query = slideDown(query, look(query));
    expect(look(query).messages.map(({ place }) => place)).toContain(bottom);
  }
  expect(look(query).hasNewer).toBe(false);
});
