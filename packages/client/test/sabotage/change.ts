/**
 * A phrase of a source file and what stands there instead: a program with one thing left out, to show that a test or a
 * proof notices.
 */
export interface Change {
  /** Under packages/client/src or, for the server, apps/server/src. */
  file: string;
  phrase: string;
  replacement: string;
}

/** Throws if a phrase is missing: a change that changes nothing would sabotage nothing. */
export function replacePhrases(source: string, changes: readonly Change[]): string {
  let text = source;
  for (const { file, phrase, replacement } of changes) {
    if (!text.includes(phrase)) throw new Error(`${file} does not contain: ${phrase}`);
    text = text.replaceAll(phrase, () => replacement);
  }
  return text;
}
