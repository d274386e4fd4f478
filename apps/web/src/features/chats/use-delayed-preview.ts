import type { Message } from '@dostar/client';
import { useEffect, useState } from 'react';

/** Decryption takes a moment; until then the previous preview stays. */
const DELAY_MS = 1500;

/** Last message of a chat, delayed until it is decrypted; undefined at first if there was no previous one. */
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
