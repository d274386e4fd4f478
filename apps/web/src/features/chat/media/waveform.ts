/** Bars of a waveform, few enough to be part of the message. */
export const BARS = 48;

/** Value of the loudest bar. */
export const LOUDEST = 31;

/** Peak levels as whole numbers, scaled so that the loudest bar is `LOUDEST`: quiet recordings stay visible. */
export function toBars(levels: readonly number[], bars = BARS): number[] {
  if (levels.length === 0) return Array.from({ length: bars }, () => 0);
  const loudest = Math.max(...levels, 0.01);
  return Array.from({ length: bars }, (_, bar) => {
    const from = Math.floor((bar * levels.length) / bars);
    const to = Math.max(from + 1, Math.floor(((bar + 1) * levels.length) / bars));
    return Math.round((LOUDEST * Math.max(...levels.slice(from, to))) / loudest);
  });
}
