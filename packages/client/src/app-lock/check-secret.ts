/** Which PINs and passphrases may lock the app (SPEC L2). */
export const PIN_DIGITS = { least: 6, most: 32 };
export const PASSPHRASE_LENGTH = { least: 12, most: 200 };

export type SecretProblem = 'pinDigits' | 'pinShort' | 'pinLong' | 'pinGuessable' | 'phraseShort' | 'phraseLong';

export function checkPin(pin: string): SecretProblem | undefined {
  if (!/^\d*$/.test(pin)) return 'pinDigits';
  if (pin.length < PIN_DIGITS.least) return 'pinShort';
  if (pin.length > PIN_DIGITS.most) return 'pinLong';
  return isGuessable(pin) ? 'pinGuessable' : undefined;
}

export function checkPassphrase(phrase: string): SecretProblem | undefined {
  const { length } = Array.from(phrase.trim());
  if (length < PASSPHRASE_LENGTH.least || new Set(phrase).size < PASSPHRASE_LENGTH.least / 2) return 'phraseShort';
  return length > PASSPHRASE_LENGTH.most ? 'phraseLong' : undefined;
}

/**
 * PINs that attackers try first: equal steps (111111, 123456, 864208), two different digits, repeats (121212, 123123).
 */
function isGuessable(pin: string): boolean {
  const digits = Array.from(pin, Number);
  const steps = digits.slice(1).map((digit, index) => (digit - digits[index]! + 10) % 10);
  if (new Set(steps).size === 1) return true;
  if (new Set(digits).size < 3) return true;
  return [1, 2, 3].some((size) => pin.length % size === 0 && pin === pin.slice(0, size).repeat(pin.length / size));
}
