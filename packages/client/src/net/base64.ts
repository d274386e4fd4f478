/** Bytes as the wire carries them: base64url without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  let text = '';
  // A whole message as arguments of one call would overflow the stack.
  for (let start = 0; start < bytes.length; start += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  }
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

export function fromBase64Url(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
}

const CHUNK = 8192;
