/**
 * The sealed body of a message: one byte of version, 32 bytes of session id, then the engine's message. The engine's
 * own envelope is JSON with base64 and names the sending device; this format is a third shorter and names no device.
 */
import { fromBase64, toBase64 } from '../base64.ts';

const VERSION = 1;
const SESSION_BYTES = 32;
const HEAD_BYTES = 1 + SESSION_BYTES;

/** The engine's message: version 3, then field 1, the message index, as a varint. */
const ENGINE_VERSION = 3;
const INDEX_TAG = 0x08;
const MAX_INDEX_BYTES = 5;

export const ALGORITHM = 'm.megolm.v1.aes-sha2';

export interface Envelope {
  session: string;
  /**
   * The message's index in the session, which the engine's signature authenticates. A repeated index reveals a replay.
   */
  index: number;
  /** In the encoding that the engine takes. */
  ciphertext: string;
}

export function packEnvelope({ session, ciphertext }: Pick<Envelope, 'session' | 'ciphertext'>): Uint8Array {
  const id = fromBase64(session);
  const sealed = fromBase64(ciphertext);
  const body = new Uint8Array(HEAD_BYTES + sealed.length);
  body[0] = VERSION;
  body.set(id, 1);
  body.set(sealed, HEAD_BYTES);
  return body;
}

/** Undefined for bytes that are not a sealed message. */
export function unpackEnvelope(body: Uint8Array): Envelope | undefined {
  if (body[0] !== VERSION || body.length <= HEAD_BYTES) return undefined;
  const sealed = body.subarray(HEAD_BYTES);
  const index = readIndex(sealed);
  if (index === undefined) return undefined;
  return { session: toBase64(body.subarray(1, HEAD_BYTES)), index, ciphertext: toBase64(sealed) };
}

function readIndex(sealed: Uint8Array): number | undefined {
  if (sealed[0] !== ENGINE_VERSION || sealed[1] !== INDEX_TAG) return undefined;
  let index = 0;
  for (let place = 0; place < MAX_INDEX_BYTES; place += 1) {
    const byte = sealed[2 + place];
    if (byte === undefined) return undefined;
    index += (byte & 0x7f) * 2 ** (7 * place);
    if ((byte & 0x80) === 0) return index;
  }
  return undefined;
}
