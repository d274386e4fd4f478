/** Two soft notes, made on the spot: no file to load, and no format a browser might not know. */
const notes = [
  { frequency: 659, from: 0 },
  { frequency: 880, from: 0.09 },
];
const lasts = 0.22;
const loudness = 0.06;

let context: AudioContext | undefined;

/** A page that nobody has pressed anything in yet stays silent: browsers want it so. */
export function playSound(isWanted: boolean): void {
  if (!isWanted || !(navigator.userActivation?.hasBeenActive ?? true)) return;
  context ??= new AudioContext();
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
