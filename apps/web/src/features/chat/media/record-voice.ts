/** A voice message on its way into a file, with its loudness for the picture. */
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

// Safari writes AAC, the others Opus; every browser of today plays both.
const types = ['audio/webm;codecs=opus', 'audio/ogg;codecs=opus', 'audio/mp4'];
const LEVEL_EVERY_MS = 80;

/** Asks for the microphone; throws what the browser says when it is refused. */
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
      // A microphone that was pulled out has stopped it already, and nothing more is heard of it.
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
    // It may have been closed before: a recording that was sent is also left.
    close: () => void (context.state === 'closed' ? undefined : context.close()),
  };
}
