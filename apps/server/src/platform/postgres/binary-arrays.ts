/**
 * Arrays in PostgreSQL's binary format, for calls that carry hundreds of rows: the driver sends a `Buffer` as it is,
 * while as text every id is quoted and escaped here and parsed there, and a body travels as twice its bytes.
 */

const HEAD_BYTES = 20;
const EMPTY_HEAD_BYTES = 12;
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;
const UINT32 = 2 ** 32;

interface ElementType<T> {
  oid: number;
  sizeOf: (value: T) => number;
  write: (buffer: Buffer, at: number, value: T) => void;
}

/** The value of a hexadecimal digit by its character code. */
const HEX = new Uint8Array(128);
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16);
  HEX[digit.charCodeAt(0)] = value;
  HEX[digit.toUpperCase().charCodeAt(0)] = value;
}
const DASH = '-'.charCodeAt(0);

const UUID: ElementType<string> = {
  oid: 2950,
  sizeOf: () => 16,
  write(buffer, at, value) {
    let next = at;
    for (let index = 0; index < value.length; index += 2) {
      if (value.charCodeAt(index) === DASH) index += 1;
      buffer[next++] = (HEX[value.charCodeAt(index)]! << 4) | HEX[value.charCodeAt(index + 1)]!;
    }
  },
};

const INTEGER: ElementType<number> = {
  oid: 23,
  sizeOf: () => 4,
  write: (buffer, at, value) => void buffer.writeInt32BE(value, at),
};

const BIGINT: ElementType<number> = {
  oid: 20,
  sizeOf: () => 8,
  write(buffer, at, value) {
    buffer.writeInt32BE(Math.floor(value / UINT32), at);
    buffer.writeUInt32BE(value >>> 0, at + 4);
  },
};

const BOOLEAN: ElementType<boolean> = {
  oid: 16,
  sizeOf: () => 1,
  write: (buffer, at, value) => void buffer.writeUInt8(value ? 1 : 0, at),
};

const BYTEA: ElementType<Buffer> = {
  oid: 17,
  sizeOf: (value) => value.length,
  write: (buffer, at, value) => void value.copy(buffer, at),
};

export const uuidArray = encoder(UUID);
export const integerArray = encoder(INTEGER);
/** Numbers up to 2^53. */
export const bigintArray = encoder(BIGINT);
export const booleanArray = encoder(BOOLEAN);
export const byteaArray = encoder(BYTEA);

function encoder<T>(type: ElementType<T>): (values: readonly (T | null)[]) => Buffer {
  return (values) => encode(type, values);
}

function encode<T>(type: ElementType<T>, values: readonly (T | null)[]): Buffer {
  let size = values.length === 0 ? EMPTY_HEAD_BYTES : HEAD_BYTES;
  let hasNull = false;
  for (const value of values) {
    size += LENGTH_BYTES;
    if (value === null) hasNull = true;
    else size += type.sizeOf(value);
  }
  const buffer = Buffer.allocUnsafe(size);
  // Dimensions, whether there are nulls, the elements' type; then length and lower bound of the one dimension.
  buffer.writeInt32BE(values.length === 0 ? 0 : 1, 0);
  buffer.writeInt32BE(hasNull ? 1 : 0, 4);
  buffer.writeInt32BE(type.oid, 8);
  if (values.length === 0) return buffer;
  buffer.writeInt32BE(values.length, 12);
  buffer.writeInt32BE(1, 16);
  let at = HEAD_BYTES;
  for (const value of values) {
    const length = value === null ? NULL_LENGTH : type.sizeOf(value);
    buffer.writeInt32BE(length, at);
    at += LENGTH_BYTES;
    if (value === null) continue;
    type.write(buffer, at, value);
    at += length;
  }
  return buffer;
}
