import { useState } from 'react';

export interface Draft<T> {
  value: T;
  change: (value: T) => void;
  /** The value differs from the stored one. */
  isDirty: boolean;
  /** Newer value that another tab or device saved during the edit; undefined if there is none or it equals `value`. */
  theirs: T | undefined;
  /** Replaces the edited value by `theirs`. */
  takeTheirs: () => void;
  /** Keeps the edited value, so that the next save overwrites `theirs`. */
  keepMine: () => void;
  /** Marks `value` as saved. */
  settle: (value: T) => void;
  /** Increases when `value` is replaced from outside: the React key for fields with their own text state. */
  round: number;
}

/**
 * State of a form. An untouched form follows the stored value; an edited one reports a newer stored value as `theirs`.
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
