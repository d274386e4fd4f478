import type { Message } from '@dostar/client';
import { useEffect, useState } from 'react';

/** Opening takes a moment; until then the line before it stands. */
const DELAY_MS = 1500;

/** The last message of a chat, as soon as there is something to say of it; undefined for a moment where nothing was. */
export function useDelayedPreview(last: Message): Message | undefined {
  const isWaiting = last.shows.state === 'waiting';
  const [settled, setSettled] = useState(isWaiting ? undefined : last);
  if (!isWaiting && settled !== last) setSettled(last);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setSettled(last), DELAY_MS);
    return () => clearTimeout(timer);
  }, [isWaiting, last]);
  return settled;
}
