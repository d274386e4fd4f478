// Full class names, because the style sheet is made from the class names found in the source.
const colours = [
  'bg-avatar-0',
  'bg-avatar-1',
  'bg-avatar-2',
  'bg-avatar-3',
  'bg-avatar-4',
  'bg-avatar-5',
  'bg-avatar-6',
  'bg-avatar-7',
] as const;

export function colourOf(accountId: string): string {
  let sum = 0;
  for (const character of accountId) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return colours[sum % colours.length] ?? colours[0];
}

/** Initials: the first characters of two words, or of the only one. Punctuation and emoji do not count. */
export function initialsOf(name: string): string {
  const letters = name
    .split(/\s+/)
    .map((word) => /\p{L}|\p{N}/u.exec(word)?.[0])
    .filter((letter) => letter !== undefined);
  return letters.slice(0, 2).join('').toUpperCase() || '?';
}
