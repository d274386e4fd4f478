/**
 * The recovery key as text: 32 random bytes and a checksum, in unambiguous characters, in groups of four. The checksum
 * distinguishes a typo from the key of another account.
 */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const KEY_BYTES = 32;
const CHECK_BYTES = 3;
const GROUP = 4;
const BITS = 5;

type Bytes = Uint8Array<ArrayBuffer>;

export async function writeRecoveryKey(key: Bytes): Promise<string> {
  const bytes = new Uint8Array([...key, ...(await checkOf(key))]);
  const letters = Array.from({ length: (bytes.length * 8) / BITS }, (_, index) => ALPHABET[readBits(bytes, index)]);
  return letters.join('').replaceAll(new RegExp(`.{${GROUP}}(?=.)`, 'g'), '$& ');
}

/** Undefined for a typo. Ignores case, spaces and dashes; O is read as 0, I and L as 1. */
export async function readRecoveryKey(typed: string): Promise<Bytes | undefined> {
  const letters = typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  const values = Array.from(letters, (letter) => ALPHABET.indexOf(letter));
  const bytes = new Uint8Array(KEY_BYTES + CHECK_BYTES);
  if (values.length !== (bytes.length * 8) / BITS || values.includes(-1)) return undefined;
  for (const [index, value] of values.entries()) writeBits(bytes, index, value);
  const key = bytes.slice(0, KEY_BYTES);
  const check = await checkOf(key);
  return check.every((byte, index) => byte === bytes[KEY_BYTES + index]) ? key : undefined;
}

async function checkOf(key: Bytes): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', key)).slice(0, CHECK_BYTES);
}

function readBits(bytes: Uint8Array, index: number): number {
  let value = 0;
  for (let bit = index * BITS; bit < (index + 1) * BITS; bit += 1) {
    value = (value << 1) | (((bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1);
  }
  return value;
}

function writeBits(bytes: Uint8Array, index: number, value: number): void {
  for (let offset = 0; offset < BITS; offset += 1) {
    const bit = index * BITS + offset;
    const isSet = (value >> (BITS - 1 - offset)) & 1;
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (isSet << (7 - (bit & 7)));
  }
}
