import type { Message } from '@dostar/client';
import { useEffect, useState } from 'react';

/** Opening takes a moment; until then the line before it stands. */
const PATIENCE_MS = 1500;

/** The last message of a chat, as soon as there is something to say of it; undefined for a moment where nothing was. */
export function useSettledLine(last: Message): Message | undefined {
  const isWaiting = last.shows.state === 'waiting';
  const [settled, setSettled] = useState(isWaiting ? undefined : last);
  if (!isWaiting && settled !== last) setSettled(last);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setSettled(last), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isWaiting, last]);
  return settled;
}
