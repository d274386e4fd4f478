/** Loudness over time in a few bars, small enough to travel inside the message. */
export const BARS = 48;

/** What the loudest moment of a recording is drawn as. */
export const LOUDEST = 31;

/** Whole numbers up to `LOUDEST`, which the loudest moment has: a whisper is visible too. */
export function toBars(levels: readonly number[], bars = BARS): number[] {
  if (levels.length === 0) return Array.from({ length: bars }, () => 0);
  const loudest = Math.max(...levels, 0.01);
  return Array.from({ length: bars }, (_, bar) => {
    const from = Math.floor((bar * levels.length) / bars);
    const to = Math.max(from + 1, Math.floor(((bar + 1) * levels.length) / bars));
    return Math.round((LOUDEST * Math.max(...levels.slice(from, to))) / loudest);
  });
}
