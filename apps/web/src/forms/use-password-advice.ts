import { useRef, useState } from 'react';
import { measurePassword } from '../ui/password-strength.ts';

const shortBelow = 10;

export function isEasyToGuess(password: string): boolean {
  return Array.from(password).length < shortBelow || measurePassword(password) === 'weak';
}

export interface PasswordAdvice {
  isGiven: boolean;
  /** Whether this password may be used: hard enough to guess, or wanted all the same. Otherwise the advice appears. */
  isAccepted: (password: string) => boolean;
  /** The advice has been read, and the password is used all the same. */
  wave: () => void;
  /** Another password: the advice was about the one before. */
  clear: () => void;
}

/** Advises once against a password that is easy to guess. Nobody is kept from using it: it is theirs. */
export function usePasswordAdvice(): PasswordAdvice {
  const [isGiven, setIsGiven] = useState(false);
  // Read by the submit that follows the press, before anything is drawn again.
  const isWaved = useRef(false);

  return {
    isGiven,
    isAccepted(password) {
      if (!isEasyToGuess(password) || isWaved.current) return true;
      setIsGiven(true);
      return false;
    },
    wave() {
      isWaved.current = true;
    },
    clear() {
      isWaved.current = false;
      setIsGiven(false);
    },
  };
}
