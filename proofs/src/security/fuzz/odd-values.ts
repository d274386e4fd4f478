/** Values that parsers, databases and comparisons often get wrong. Texts carry the marker of their input. */
import type { Random } from './random.ts';
import { Entries, Verbatim } from './write-json.ts';

/** Fits into the bodies of most routes, also when a mutation repeats it. */
const LONG = 20_000;
/** Below and above the depth that the server accepts, and far above. */
const DEPTHS = [2, 10, 63, 64, 65, 200, 5_000];
const PROTOTYPE_KEYS = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'length', 'then'];

const NUMBERS = [
  0,
  -1,
  1,
  1.5,
  -0.5,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 32,
  2 ** 53,
  2 ** 63,
  1e21,
  1e308,
  5e-324,
  255,
  1e6,
];
const NUMBER_TEXTS = ['-0', '1e999', '-1e999', '9'.repeat(400), `0.${'3'.repeat(300)}`, '1E+2', '9223372036854775808'];

/** Fragments that make a backtracking pattern slow when repeated: almost a match, many times. */
const ALMOST = ['a', ' ', '.', '@', '/', '-', '0', 'a.', 'a@', '%', '\t', '((', '"', '\\', 'aA1', '../', 'bytes=0-,'];

const ODD_TEXTS = [
  '',
  ' ',
  '\u202Eright to left\u202C',
  '\u200B\u200D\uFEFF',
  'e\u0301\u0301\u0301',
  '👨‍👩‍👧‍👦',
  'ﬃ İ ß',
  '\u0000',
  '\u0001\u001F\u007F',
  '\r\nset-cookie: a=b',
  "'; drop table account; --",
  '%s %n %d',
  '%00',
  '%',
  '../../../../etc/passwd',
  '/./../',
  'null',
  'undefined',
  'NaN',
  'true',
  '[object Object]',
  '${7*7}',
  '<script>',
  'javascript:alert(1)',
  'http://127.0.0.1:1/',
  'https://[::1]/',
  'https://fcm.googleapis.com/fcm/send/',
  'data:,',
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-4FFF-BFFF-FFFFFFFFFFFF',
  '1970-01-01T00:00:00.000Z',
  '+275760-09-13T00:00:00.001Z',
  '-000001-01-01T00:00:00Z',
  '9999999999999999',
  '-1',
  '1e9',
  '0x10',
  'unique()',
  'current',
  '*',
  'read("any")',
  'user:',
  'eHg=',
  'e_-x',
  '====',
  'A'.repeat(43),
];

export function oddText(random: Random, marker: string): string {
  switch (random.below(8)) {
    case 0:
      return marker;
    case 1:
      return random.pick(ALMOST).repeat(1 + random.below(random.pick([50, 500, 5_000]))) + marker;
    case 2:
      return marker.repeat(1 + random.below(LONG / marker.length));
    case 3:
      return String.fromCodePoint(1 + random.below(0xd7ff)) + marker;
    default:
      return random.chance(0.3) ? random.pick(ODD_TEXTS) : random.pick(ODD_TEXTS) + marker;
  }
}

export function oddValue(random: Random, marker: string): unknown {
  switch (random.below(12)) {
    case 0:
      return null;
    case 1:
      return random.chance(0.5);
    case 2:
      return random.pick(NUMBERS);
    case 3:
      return new Verbatim(random.pick(NUMBER_TEXTS));
    case 4:
      // Unpaired surrogates, escaped and unescaped.
      return new Verbatim(`"${random.pick(['\\ud800', '\\udfff\\ud800', '\\u0000', '\\ud83d\\u0041'])}${marker}"`);
    case 5:
      return nest(random.pick(DEPTHS), random.chance(0.5), marker);
    case 6:
      return Array.from({ length: random.pick([0, 1, 2, 51, 101, 1_000]) }, () => marker);
    case 7:
      return new Entries([[oddKey(random, marker), marker]]);
    case 8:
      return new Entries(Array.from({ length: random.pick([1, 10, 300]) }, (_, at) => [`${marker}${at}`, at]));
    default:
      return oddText(random, marker);
  }
}

export function oddKey(random: Random, marker: string): string {
  return random.chance(0.5) ? random.pick(PROTOTYPE_KEYS) : oddText(random, marker);
}

/** Built as text: `JSON.stringify` would overflow our own stack at the greatest depth. */
function nest(depth: number, isArray: boolean, marker: string): Verbatim {
  const [open, close] = isArray ? ['[', ']'] : ['{"a":', '}'];
  return new Verbatim(open.repeat(depth) + JSON.stringify(marker) + close.repeat(depth));
}
