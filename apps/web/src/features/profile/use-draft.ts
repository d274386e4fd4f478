import { useState } from 'react';

export interface Draft<T> {
  value: T;
  change: (value: T) => void;
  /** Differs from what was read. */
  isDirty: boolean;
  /** What another device has saved meanwhile, where this form holds something else. */
  theirs: T | undefined;
  /** Throws one's own away. */
  takeTheirs: () => void;
  /** One's own goes over what is there now. */
  keepMine: () => void;
  /** It has been saved as this. */
  settle: (value: T) => void;
  /** Changes when fields that keep their own text have to read it again. */
  round: number;
}

/**
 * What a form holds beside what is stored. An untouched form follows what is stored; one that was touched says so
 * when the two drift apart.
 */
export function useDraft<T>(kept: T, isSaving: boolean): Draft<T> {
  const [base, setBase] = useState(kept);
  const [value, setValue] = useState(kept);
  const [round, setRound] = useState(0);
  const isDirty = !isSame(value, base);
  const hasMoved = !isSaving && !isSame(kept, base);

  function follow(next: T): void {
    setBase(next);
    setValue(next);
    setRound(round + 1);
  }

  if (hasMoved && !isDirty) follow(kept);
  return {
    value,
    change: setValue,
    isDirty,
    theirs: hasMoved && isDirty && !isSame(kept, value) ? kept : undefined,
    takeTheirs: () => follow(kept),
    keepMine: () => setBase(kept),
    settle(next) {
      setBase(next);
      setValue(next);
    },
    round,
  };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
