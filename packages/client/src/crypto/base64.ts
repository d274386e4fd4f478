/** Bytes in the engine's encoding: base64 with the standard alphabet, without padding. */
import { fromBase64Url, toBase64Url } from '../net/base64.ts';

export function toBase64(bytes: Uint8Array): string {
  return toBase64Url(bytes).replaceAll('-', '+').replaceAll('_', '/');
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return fromBase64Url(text);
}
