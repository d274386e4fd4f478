import { useEffect, useRef, useState } from 'react';
import { measurePassword } from '../ui/password-strength.ts';
import { isRefused, loadPasswordRules } from './password-rules.ts';

const shortBelow = 10;

export function isEasyToGuess(password: string): boolean {
  return Array.from(password).length < shortBelow || measurePassword(password) === 'weak';
}

export interface PasswordAdvice {
  isGiven: boolean;
  /** The operator's rules refuse it: it can't be used. */
  isRefusal: boolean;
  /** Whether this password may be used: hard enough to guess, or wanted all the same. Otherwise the advice appears. */
  isAccepted: (password: string, email?: string) => boolean;
  /** The advice has been read, and the password is used all the same. */
  wave: () => void;
  /** Another password: the advice was about the one before. */
  clear: () => void;
}

/** Advises once against a password that is easy to guess, and refuses a common one if the operator wants that. */
export function usePasswordAdvice(): PasswordAdvice {
  const [given, setGiven] = useState<'advice' | 'refusal'>();
  // Read by the submit that follows the press, before anything is drawn again.
  const isWaved = useRef(false);

  useEffect(() => {
    void loadPasswordRules();
  }, []);

  return {
    isGiven: given !== undefined,
    isRefusal: given === 'refusal',
    isAccepted(password, email = '') {
      if (isRefused(password, email)) {
        setGiven('refusal');
        return false;
      }
      if (!isEasyToGuess(password) || isWaved.current) return true;
      setGiven('advice');
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
