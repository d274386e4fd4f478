const MAX_LINES = 1_000;
let lines: string[] = [];

/** Where servers of tests log to. */
export const keptLog = {
  write(line: string): void {
    lines.push(line);
    if (lines.length > MAX_LINES) lines.shift();
  },
};

/** The lines since the last call. */
export function takeLines(): string[] {
  const taken = lines;
  lines = [];
  return taken;
}
