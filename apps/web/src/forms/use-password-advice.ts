import { useEffect, useRef, useState } from 'react';
import { measurePassword } from '../ui/password-strength.ts';
import { findRefusal, loadPasswordRules, readPasswordMinimum } from './password-rules.ts';

const shortBelow = 10;

export function isEasyToGuess(password: string): boolean {
  return Array.from(password).length < shortBelow || measurePassword(password) === 'weak';
}

export interface PasswordAdvice {
  /** The fewest characters that the operator's rules accept; the specification's 4 until the rules have been loaded. */
  minimum: number;
  /** `weak` may be used all the same. The operator's rules refuse the others. */
  given: 'weak' | 'short' | 'common' | undefined;
  /** Whether this password may be used: hard enough to guess, or wanted all the same. Otherwise the advice appears. */
  isAccepted: (password: string, email?: string) => boolean;
  /** The advice has been read, and the password is used all the same. */
  wave: () => void;
  /** Another password: the advice was about the one before. */
  clear: () => void;
}

/** Advises once against a password that is easy to guess, and refuses what the operator's rules refuse. */
export function usePasswordAdvice(): PasswordAdvice {
  const [given, setGiven] = useState<PasswordAdvice['given']>();
  // Read by the submit that follows the press, before anything is drawn again.
  const isWaved = useRef(false);

  const [minimum, setMinimum] = useState(readPasswordMinimum);

  useEffect(() => {
    void loadPasswordRules().then(() => setMinimum(readPasswordMinimum()));
  }, []);

  return {
    minimum,
    given,
    isAccepted(password, email = '') {
      const refusal = findRefusal(password, email);
      if (refusal === undefined && (!isEasyToGuess(password) || isWaved.current)) return true;
      setGiven(refusal ?? 'weak');
      return false;
    },
    wave() {
      isWaved.current = true;
    },
    clear() {
      isWaved.current = false;
      setGiven(undefined);
    },
  };
}
