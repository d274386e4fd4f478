/** Records a voice message with its waveform. */
import { toBars } from './waveform.ts';

export interface VoiceNote {
  file: Blob;
  type: string;
  /** Seconds. */
  duration: number;
  waveform: number[];
}

export interface Recording {
  /** The latest loudness, 0 to 1. */
  readLevel(): number;
  /** Seconds so far. */
  readDuration(): number;
  finish(): Promise<VoiceNote>;
  cancel(): void;
}

// Safari records AAC, other browsers Opus; all current browsers play both.
const types = ['audio/webm;codecs=opus', 'audio/ogg;codecs=opus', 'audio/mp4'];
const LEVEL_EVERY_MS = 80;

/** Asks for the microphone. Rejects with the browser's error if the user refuses. */
export async function recordVoice(): Promise<Recording> {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: { echoCancellation: true, noiseSuppression: true },
  });
  try {
    return record(stream);
  } catch (error) {
    stopTracks(stream);
    throw error;
  }
}

function record(stream: MediaStream): Recording {
  const type = types.find((known) => MediaRecorder.isTypeSupported(known)) ?? '';
  const recorder = new MediaRecorder(stream, { ...(type && { mimeType: type }), audioBitsPerSecond: 32_000 });
  const pieces: Blob[] = [];
  const meter = openMeter(stream);
  const levels: number[] = [];
  const timer = setInterval(() => levels.push(meter.read()), LEVEL_EVERY_MS);
  const startedAt = performance.now();
  recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data));
  recorder.start(1000);

  function readDuration(): number {
    return (performance.now() - startedAt) / 1000;
  }

  function close(): void {
    clearInterval(timer);
    meter.close();
    stopTracks(stream);
  }

  return {
    readLevel: () => levels.at(-1) ?? 0,
    readDuration,
    async finish() {
      const duration = readDuration();
      const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve, { once: true }));
      // If the microphone was unplugged, the recorder has stopped already and fires no further event.
      if (recorder.state !== 'inactive') {
        recorder.stop();
        await stopped;
      }
      close();
      const file = new Blob(pieces, { type: recorder.mimeType });
      return { file, type: recorder.mimeType, duration, waveform: toBars(levels) };
    },
    cancel() {
      if (recorder.state !== 'inactive') recorder.stop();
      close();
    },
  };
}

function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

function openMeter(stream: MediaStream): { read(): number; close(): void } {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = 512;
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  return {
    read() {
      analyser.getFloatTimeDomainData(samples);
      return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
    },
    // Closing is idempotent: a sent recording is closed again when the user leaves the chat.
    close: () => void (context.state === 'closed' ? undefined : context.close()),
  };
}
