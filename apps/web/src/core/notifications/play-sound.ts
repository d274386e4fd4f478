import type { MessageSound } from '../../worker/message-alert.ts';

interface Note {
  frequency: number;
  /** The start in seconds from the beginning of the sound. */
  from: number;
  lasts: number;
  /** The frequency at which the note ends. */
  slidesTo?: number;
  /** The volume of the note relative to the usual one. */
  volume?: number;
}

/** Synthesised, so that there is no file to load and no format that a browser might not support. */
const sounds: Record<Exclude<MessageSound, 'none'>, readonly Note[]> = {
  default: [
    { frequency: 659, from: 0, lasts: 0.22 },
    { frequency: 880, from: 0.09, lasts: 0.22 },
  ],
  chime: [
    { frequency: 1047, from: 0, lasts: 0.5 },
    { frequency: 1319, from: 0.12, lasts: 0.5 },
    { frequency: 1568, from: 0.24, lasts: 0.7 },
  ],
  drop: [{ frequency: 1400, from: 0, lasts: 0.16, slidesTo: 520 }],
  marimba: [
    { frequency: 392, from: 0, lasts: 0.16 },
    { frequency: 523, from: 0.1, lasts: 0.16 },
    { frequency: 392, from: 0.2, lasts: 0.24 },
  ],
  echo: [
    { frequency: 784, from: 0, lasts: 0.24 },
    { frequency: 784, from: 0.2, lasts: 0.24, volume: 0.5 },
    { frequency: 784, from: 0.4, lasts: 0.3, volume: 0.25 },
  ],
};
const loudness = 0.06;

let context: AudioContext | undefined;

/**
 * Returns whether the sound is played. Browsers block sound until the person has pressed something in the page.
 */
export function playSound(sound: MessageSound): boolean {
  if (sound === 'none' || !(navigator.userActivation?.hasBeenActive ?? true)) return false;
  context ??= new AudioContext();
  // iOS suspends the context during a call.
  void context.resume();
  for (const note of sounds[sound]) playNote(context, note);
  return true;
}

function playNote(to: AudioContext, { frequency, from, lasts, slidesTo = frequency, volume = 1 }: Note): void {
  const start = to.currentTime + from;
  const end = start + lasts;
  const tone = new OscillatorNode(to, { type: 'sine', frequency });
  tone.frequency.setValueAtTime(frequency, start);
  tone.frequency.exponentialRampToValueAtTime(slidesTo, end);
  const gain = new GainNode(to, { gain: 0 });
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loudness * volume, start + 0.02);
  gain.gain.exponentialRampToValueAtTime(0.0001, end);
  tone.connect(gain).connect(to.destination);
  tone.start(start);
  tone.stop(end);
}
