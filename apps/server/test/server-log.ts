const MAX_LINES = 1_000;
let lines: string[] = [];

/** Destination of the logs of all servers in this process. */
export const serverLog = {
  write(line: string): void {
    lines.push(line);
    if (lines.length > MAX_LINES) lines.shift();
  },
};

/** Returns the lines since the last call. */
export function takeLines(): string[] {
  const taken = lines;
  lines = [];
  return taken;
}
