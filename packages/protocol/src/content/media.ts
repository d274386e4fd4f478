/**
 * A message's reference to a file: everything needed to download, verify and show it, none of it visible to the server.
 */
import { z } from 'zod';

/**
 * Files are encrypted and uploaded in chunks of this size. Each chunk has its own hash, so that a range can be verified
 * alone.
 */
export const CHUNK_BYTES = 5 * 1024 * 1024;
export const MAX_FILE_BYTES = 2 * 1024 ** 3;
const MAX_CHUNKS = Math.ceil(MAX_FILE_BYTES / CHUNK_BYTES);

const MIN_BLOB_BYTES = 4096;
/** Divides the chunk size, so that padding never adds a chunk. */
const MAX_PADDING_STEP = 1024 ** 2;

/**
 * The length of a file as the server sees it, by Padmé (Nikitin et al., "Reducing Metadata Leakage from Encrypted
 * Files", PETS 2019): rounded up so that few significant bits remain, at most 6 % more from 4 KB on. Beyond 64 MB the
 * step stays 1 MB, since downloads reveal which chunks are read anyway.
 */
export function padSize(size: number): number {
  const exponent = Math.floor(Math.log2(Math.max(size, MIN_BLOB_BYTES)));
  const kept = Math.floor(Math.log2(exponent)) + 1;
  const step = Math.min(2 ** (exponent - kept), MAX_PADDING_STEP);
  return Math.ceil(Math.max(size, MIN_BLOB_BYTES) / step) * step;
}

/** Number of loudness samples of a voice message, each from 0 to 31. */
const MAX_WAVEFORM = 128;

const Pixels = z.int().positive().max(65_535);

const FileHead = z.object({
  blob: z.uuid(),
  /** 32 bytes of AES-256-CTR key and 16 of its first counter block. */
  key: z.base64url().length(43),
  iv: z.base64url().length(22),
  /** SHA-256 of each encrypted chunk, in order. The last one excludes the padding. */
  hashes: z.array(z.base64url().length(43)).min(1).max(MAX_CHUNKS),
  size: z.int().nonnegative().max(MAX_FILE_BYTES),
  type: z.string().max(127),
});

/** A picture kept inside the message's own blob list: the first frame of a video. */
const Poster = FileHead.extend({ width: Pixels, height: Pixels });

export const MediaReference = FileHead.extend({
  name: z.string().max(255),
  width: Pixels.optional(),
  height: Pixels.optional(),
  blurhash: z.string().max(100).optional(),
  durationMs: z.int().nonnegative().optional(),
  poster: Poster.optional(),
});
export type MediaReference = z.infer<typeof MediaReference>;

export const VoiceReference = FileHead.extend({
  durationMs: z.int().positive(),
  waveform: z.array(z.int().min(0).max(31)).max(MAX_WAVEFORM),
});
export type VoiceReference = z.infer<typeof VoiceReference>;
