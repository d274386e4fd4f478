/**
 * Which new passwords an installation accepts. Browsers check this, since with OPAQUE the server never sees a password.
 */

/** An operator may raise it with `PASSWORD_MIN_LENGTH`. */
export const DEFAULT_PASSWORD_MINIMUM = 4;
/** From this minimum length on, an installation also refuses common passwords. */
const REFUSES_COMMON_FROM = 8;
const MIN_OWN_CHARACTERS = 4;
const PRODUCT_WORDS = ['dostar', 'достар', 'amadeus', 'амадеус'];

/** Whether a password is one of the most common ones, or mostly consists of obvious words. */
export type IsCommon = (password: string, ownWords?: readonly string[]) => boolean;

export function refusesCommon(minimum: number): boolean {
  return minimum >= REFUSES_COMMON_FROM;
}

/**
 * Loads the list, which is large, on demand. It has those of 8 or more characters of the 49,000 breached passwords of
 * `@zxcvbn-ts/language-common` 4.1.3 (MIT), in lower case, and some of this region's.
 */
export async function loadIsCommon(): Promise<IsCommon> {
  const { commonPasswords } = await import('./common-passwords.ts');
  const known = new Set(commonPasswords.split(' '));
  return (password, ownWords = []) => {
    const plain = password.toLowerCase();
    const words = [...PRODUCT_WORDS, ...ownWords.map((word) => word.toLowerCase())];
    const rest = words.filter((word) => word.length >= 3).reduce((text, word) => text.replaceAll(word, ''), plain);
    return known.has(plain) || (rest !== plain && Array.from(rest).length < MIN_OWN_CHARACTERS);
  };
}

/** The parts of an email address that an attacker would try as a password. */
export function wordsOf(email: string): string[] {
  return email.split(/[@.+_-]/).filter((word) => word !== '');
}
