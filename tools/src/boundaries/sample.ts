/** A file that violates a boundary, with a clean twin that does the same thing the right way. */
export interface Sample {
  boundary: string;
  enforcedBy: 'compiler' | 'linter';
  /** Part of the complaint that has to come: an error code, a rule, a message. */
  expectedMessage: string;
  bad: SourceFile;
  good: SourceFile;
}

export interface SourceFile {
  path: string;
  text: string;
}

export function compiler(boundary: string, expectedMessage: string, bad: SourceFile, good: SourceFile): Sample {
  return { boundary, enforcedBy: 'compiler', expectedMessage, bad, good };
}

export function linter(boundary: string, expectedMessage: string, bad: SourceFile, good: SourceFile): Sample {
  return { boundary, enforcedBy: 'linter', expectedMessage, bad, good };
}

export function file(path: string, text: string): SourceFile {
  return { path, text: `${text}\n` };
}
