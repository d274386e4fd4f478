import { useEffect, useState } from 'react';

const freeTries = 3;
const firstWait = 5;
const longestWait = 300;

/**
 * How long to wait after wrong attempts, in seconds: none after the first three, then twice as long each time. It slows
 * down a person at the keyboard. What protects a copied disk is Argon2id, not this.
 */
export function waitAfter(tries: number): number {
  return tries < freeTries ? 0 : Math.min(longestWait, firstWait * 2 ** (tries - freeTries));
}

export function useWrongTries(): { waits: number; add: () => void } {
  const [tries, setTries] = useState(0);
  const [waits, setWaits] = useState(0);

  useEffect(() => {
    if (waits === 0) return undefined;
    const timer = setTimeout(() => setWaits(waits - 1), 1000);
    return () => clearTimeout(timer);
  }, [waits]);

  return {
    waits,
    add() {
      setTries(tries + 1);
      setWaits(waitAfter(tries + 1));
    },
  };
}
