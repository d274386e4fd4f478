export type PasswordStrength = 'weak' | 'fair' | 'good' | 'strong';

export const passwordStrengths: readonly PasswordStrength[] = ['weak', 'fair', 'good', 'strong'];

// Common parts of guessable passwords: the meter must not call these good.
const common = /pass|qwer|asdf|йцук|фыва|admin|dostar|love|құпия|парол|1234|4321|1111|0000|abcd/i;

function countPool(password: string): number {
  let pool = 0;
  if (/[a-z]/.test(password)) pool += 26;
  if (/[A-Z]/.test(password)) pool += 26;
  if (/\d/.test(password)) pool += 10;
  if (/[\u0400-\u052F]/.test(password)) pool += 42;
  if (/[^A-Za-z\d\u0400-\u052F]/.test(password)) pool += 24;
  return pool;
}

/** A rough estimate of the cost of guessing; repeated characters and well-known words count almost nothing. */
export function measurePassword(password: string): PasswordStrength {
  const distinct = new Set(password).size;
  const length = Math.min(password.length, distinct * 2) - (common.test(password) ? 5 : 0);
  const bits = Math.max(0, length) * Math.log2(Math.max(2, countPool(password)));
  if (password.length < 10 && bits < 50) return bits < 34 ? 'weak' : 'fair';
  if (bits < 45) return 'weak';
  if (bits < 60) return 'fair';
  return bits < 85 ? 'good' : 'strong';
}
