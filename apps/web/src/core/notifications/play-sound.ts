import type { MessageSound } from '../../worker/message-alert.ts';

/** Two soft notes, synthesised: no file to load, and no format that a browser might not support. */
const notes = [
  { frequency: 659, from: 0 },
  { frequency: 880, from: 0.09 },
];
const lasts = 0.22;
const loudness = 0.06;

let context: AudioContext | undefined;

/** Silent until the person has pressed something in the page: browsers block sound before that. */
export function playSound(sound: MessageSound): void {
  if (sound === 'none' || !(navigator.userActivation?.hasBeenActive ?? true)) return;
  context ??= new AudioContext();
  // iOS suspends it during a call.
  void context.resume();
  const start = context.currentTime;
  for (const { frequency, from } of notes) {
    const tone = new OscillatorNode(context, { type: 'sine', frequency });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(0, start + from);
    volume.gain.linearRampToValueAtTime(loudness, start + from + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + from + lasts);
    tone.connect(volume).connect(context.destination);
    tone.start(start + from);
    tone.stop(start + from + lasts);
  }
}
