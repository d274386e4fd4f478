/** The encoding of bytes on the wire: base64url without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  let text = '';
  // All bytes of a message as arguments of one call would overflow the stack.
  for (let start = 0; start < bytes.length; start += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  }
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = new Uint8Array(binary.length);
  // `Uint8Array.from` goes through an iterator, and takes twenty times as long for a long log.
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

const CHUNK = 8192;
