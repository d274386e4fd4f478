/**
 * A phrase of a source file and its replacement. A program with one safeguard left out shows that a test or a proof
 * notices.
 */
export interface Change {
  /** Path relative to packages/client/src or, for the server, to apps/server/src. */
  file: string;
  phrase: string;
  replacement: string;
}

/** Throws if a phrase is missing, because the sabotage would have no effect. */
export function replacePhrases(source: string, changes: readonly Change[]): string {
  let text = source;
  for (const { file, phrase, replacement } of changes) {
    if (!text.includes(phrase)) throw new Error(`${file} does not contain: ${phrase}`);
    text = text.replaceAll(phrase, () => replacement);
  }
  return text;
}
