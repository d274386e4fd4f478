import { useEffect, useState } from 'react';

const freeAttempts = 3;
const firstWait = 5;
const longestWait = 300;

/**
 * Seconds to wait after wrong attempts: none for the first three, then doubling. It slows a person at the keyboard;
 * Argon2id protects a copied disk.
 */
export function waitAfter(attempts: number): number {
  return attempts < freeAttempts ? 0 : Math.min(longestWait, firstWait * 2 ** (attempts - freeAttempts));
}

export function useFailedAttempts(): { waits: number; add: () => void } {
  const [attempts, setAttempts] = useState(0);
  const [waits, setWaits] = useState(0);

  useEffect(() => {
    if (waits === 0) return undefined;
    const timer = setTimeout(() => setWaits(waits - 1), 1000);
    return () => clearTimeout(timer);
  }, [waits]);

  return {
    waits,
    add() {
      setAttempts(attempts + 1);
      setWaits(waitAfter(attempts + 1));
    },
  };
}
