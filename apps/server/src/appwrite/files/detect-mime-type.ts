/** Detects the type of a file from its first bytes, not from its name or the sender's claim. */

const HEAD_BYTES = 4096;

type Test = (head: Buffer) => boolean;

const at =
  (offset: number, ...bytes: number[]): Test =>
  (head) =>
    bytes.every((byte, n) => head[offset + n] === byte);
const text =
  (offset: number, words: string): Test =>
  (head) =>
    head.toString('latin1', offset, offset + words.length) === words;
const both =
  (...tests: Test[]): Test =>
  (head) =>
    tests.every((test) => test(head));
/** The containers of MPEG-4 name what they hold. */
const brand =
  (...brands: string[]): Test =>
  (head) =>
    text(4, 'ftyp')(head) && brands.some((each) => head.toString('latin1', 8, 64).includes(each));

const SIGNATURES: [mimeType: string, test: Test][] = [
  ['image/png', at(0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)],
  ['image/jpeg', at(0, 0xff, 0xd8, 0xff)],
  ['image/gif', text(0, 'GIF8')],
  ['image/webp', both(text(0, 'RIFF'), text(8, 'WEBP'))],
  ['image/avif', brand('avif', 'avis')],
  ['image/heic', brand('heic', 'heix', 'hevc', 'mif1', 'msf1')],
  ['image/bmp', both(text(0, 'BM'), at(6, 0, 0, 0, 0))],
  ['image/tiff', text(0, 'II*\0')],
  ['image/tiff', text(0, 'MM\0*')],
  ['image/x-icon', at(0, 0, 0, 1, 0)],
  ['application/pdf', text(0, '%PDF-')],
  ['application/zip', text(0, 'PK\u0003\u0004')],
  ['application/gzip', at(0, 0x1f, 0x8b)],
  ['application/zstd', at(0, 0x28, 0xb5, 0x2f, 0xfd)],
  ['application/x-7z-compressed', at(0, 0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c)],
  ['video/quicktime', brand('qt  ')],
  ['audio/mp4', brand('M4A ')],
  ['video/mp4', text(4, 'ftyp')],
  ['video/webm', both(at(0, 0x1a, 0x45, 0xdf, 0xa3), (head) => head.includes('webm'))],
  ['video/x-matroska', at(0, 0x1a, 0x45, 0xdf, 0xa3)],
  ['video/x-msvideo', both(text(0, 'RIFF'), text(8, 'AVI '))],
  ['audio/wav', both(text(0, 'RIFF'), text(8, 'WAVE'))],
  ['audio/ogg', text(0, 'OggS')],
  ['audio/flac', text(0, 'fLaC')],
  ['audio/mpeg', text(0, 'ID3')],
  ['audio/mpeg', (head) => head[0] === 0xff && ((head[1] ?? 0) & 0xe6) === 0xe2],
];

export function detectMimeType(content: Buffer): string {
  const head = content.subarray(0, HEAD_BYTES);
  const known = SIGNATURES.find(([, test]) => test(head));
  if (known) return known[0];
  if (head.length === 0) return 'application/x-empty';
  return isText(head) ? describeText(head.toString('utf8')) : 'application/octet-stream';
}

function isText(head: Buffer): boolean {
  // The last character may be cut off at the end of the sample.
  const words = head.toString('utf8').slice(0, -1);
  // oxlint-disable-next-line no-control-regex -- those are what text does not have
  return !/[\ufffd\0-\x08\x0b\x0e-\x1f]/.test(words);
}

function describeText(words: string): string {
  const start = words.trimStart().slice(0, 500).toLowerCase();
  if (start.includes('<svg')) return 'image/svg+xml';
  if (/^<(?:!doctype html|html|head|body|script)/.test(start)) return 'text/html';
  if (start.startsWith('<?xml')) return 'text/xml';
  return 'text/plain';
}

const SHOWN = /^(?:image\/(?:png|jpeg|gif|webp|avif|heic|bmp)|audio\/[\w-]+|video\/[\w-]+)$/;

/** Browsers show pictures, sound and video only. Other types may contain scripts, so they are downloads. */
export function isShown(mimeType: string): boolean {
  return SHOWN.test(mimeType);
}
