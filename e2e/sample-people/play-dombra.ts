/** A phrase on two plucked strings (Karplus and Strong, 1983): the voice note of the sample people. */

export const SAMPLE_RATE = 48_000;
const SECONDS = 9;
const BARS = 48;
const LOUDEST = 31;

/** Semitones above the open string, and length in eighths. The lower string is plucked with each note. */
const melody: [number, number][] = [
  ...([
    [0, 2],
    [3, 1],
    [5, 1],
    [7, 2],
    [5, 1],
    [3, 1],
  ] as [number, number][]),
  ...([
    [7, 1],
    [10, 1],
    [12, 2],
    [10, 1],
    [7, 1],
    [5, 2],
  ] as [number, number][]),
  ...([
    [12, 1],
    [10, 1],
    [7, 1],
    [5, 1],
    [3, 2],
    [5, 1],
    [3, 1],
  ] as [number, number][]),
  ...([
    [0, 1],
    [3, 1],
    [0, 6],
  ] as [number, number][]),
];
const HIGH = 196;
const LOW = 146.8;
const EIGHTH = 0.235;

/** Samples between -1 and 1. */
export function playDombra(): Float32Array {
  const sound = new Float32Array(SECONDS * SAMPLE_RATE);
  let at = 0.15;
  for (const [note, length] of melody) {
    pluck(sound, at, HIGH * 2 ** (note / 12), 0.5);
    pluck(sound, at + 0.012, LOW, 0.22);
    // Long notes are plucked again, softer.
    for (let beat = 1; beat < Math.min(length, 3); beat += 1) pluck(sound, at + beat * EIGHTH, LOW, 0.12);
    at += length * EIGHTH;
  }
  const peak = sound.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  return sound.map((sample) => (sample / peak) * 0.8);
}

/** Loudness in a few bars, as the recorder of the app makes them. */
export function describeSound(sound: Float32Array): { durationMs: number; waveform: number[] } {
  const length = Math.floor(sound.length / BARS);
  const levels = Array.from({ length: BARS }, (_, bar) => {
    const part = sound.subarray(bar * length, (bar + 1) * length);
    return Math.sqrt(part.reduce((sum, sample) => sum + sample * sample, 0) / length);
  });
  const most = Math.max(...levels);
  return { durationMs: SECONDS * 1000, waveform: levels.map((level) => Math.round((LOUDEST * level) / most)) };
}

function pluck(sound: Float32Array, seconds: number, frequency: number, loudness: number): void {
  const string = new Float32Array(Math.round(SAMPLE_RATE / frequency));
  for (let index = 0; index < string.length; index += 1) string[index] = noise(index) * loudness;
  const start = Math.round(seconds * SAMPLE_RATE);
  for (let index = 0; start + index < sound.length; index += 1) {
    const place = index % string.length;
    const next = (place + 1) % string.length;
    sound[start + index] = (sound[start + index] ?? 0) + (string[place] ?? 0);
    string[place] = 0.4985 * ((string[place] ?? 0) + (string[next] ?? 0));
  }
}

/** Pseudorandom and always the same. */
function noise(index: number): number {
  const bits = Math.imul(index + 1, 2_654_435_761);
  return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 31 - 1;
}
