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
  /** The person may use a `weak` password anyway. The operator's rules refuse the others. */
  given: 'weak' | 'short' | 'common' | undefined;
  /** Whether this password may be used: strong enough, or accepted despite the advice. Otherwise shows the advice. */
  isAccepted: (password: string, email?: string) => boolean;
  /** The person has read the advice and uses the password anyway. */
  wave: () => void;
  /** The password changed, so the advice no longer applies. */
  clear: () => void;
}

/** Advises once against a password that is easy to guess, and refuses passwords that break the operator's rules. */
export function usePasswordAdvice(): PasswordAdvice {
  const [given, setGiven] = useState<PasswordAdvice['given']>();
  // A ref, because the submit after the press reads it before the next render.
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
