import { expect, test } from 'vitest';
import { parseBigJson, parseStoredJson, writeBigJson } from './bigint-json.ts';

test('whole numbers keep all their digits, wherever they stand', () => {
  const text = '{"a":[9007199254740993,-9223372036854775808],"b":{"c":18446744073709551615}}';
  expect(parseBigJson(text)).toEqual({
    a: [9007199254740993n, -9223372036854775808n],
    b: { c: 18446744073709551615n },
  });
  expect(writeBigJson(parseBigJson(text))).toBe(text);
  expect(parseBigJson('12345678901234567890')).toBe(12345678901234567890n);
});

test('numbers that are no long integers, and digits in strings, stay what they are', () => {
  const text =
    '["12345678901234567890","\\"12345678901234567890",0.12345678901234567890,1234567890123456.5,1e15,9007199254740991,1234567890123456e2,{"12345678901234567890":1}]';
  expect(parseBigJson(text)).toEqual(JSON.parse(text));
});

test('a number with more digits than 64 bits need is refused', () => {
  expect(parseBigJson('[99999999999999999999]')).toEqual([99999999999999999999n]);
  for (const digits of ['9'.repeat(21), `-${'9'.repeat(21)}`, '9'.repeat(100_000)])
    expect(() => parseBigJson(`[${digits}]`)).toThrow(SyntaxError);
});

test('what was written is read again, however many digits its numbers have by then', () => {
  const value = { a: [1e15, 1e20, -1e20, 1e21, Number.MAX_VALUE], b: 9223372036854775807n };
  expect(parseStoredJson(writeBigJson(value))).toEqual(value);
  // As `jsonb` writes 1e308.
  expect(parseStoredJson(`[1${'0'.repeat(308)}]`)).toEqual([1e308]);
});

test('JSON that can not be stored or is nested too deeply is refused', () => {
  for (const text of [
    '"a\\u0000b"',
    '{"a\\u0000":1}',
    '"\\ud800"',
    '{"__proto__":{}}',
    `${'['.repeat(65)}${']'.repeat(65)}`,
    `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
    `["\\u0000${'9'.repeat(17)}"]`,
  ])
    expect(() => parseBigJson(text), text.slice(0, 20)).toThrow(SyntaxError);
  expect(parseBigJson('["\\ud83d\\ude00","\\\\u0000"]')).toEqual(['😀', String.raw`\u0000`]);
  expect(parseBigJson(`${'['.repeat(64)}${']'.repeat(64)}`)).toBeInstanceOf(Array);
});

test('a long list costs little more than a plain parse, with and without a long integer', () => {
  const zeros = '0,'.repeat(200_000);
  for (const text of [
    `[${zeros}0]`,
    `[${zeros}99999999999999999]`,
    `["${String.raw`\"`.repeat(200_000)}",99999999999999999]`,
  ]) {
    const ratio = costOf(() => parseBigJson(text)) / costOf(() => JSON.parse(text));
    expect(ratio).toBeLessThan(25);
  }
  // Not even JSON, and quadratic for a pattern that looks for the end of each string.
  const unclosed = `${String.raw`"\"`.repeat(100_000)}9999999999999999`;
  expect(() => parseBigJson(unclosed)).toThrow(SyntaxError);
});

/** The system counts in ticks of four milliseconds. */
const ENOUGH_MICROSECONDS = 40_000;

/** CPU time of this thread for one run: a busy machine does not stretch it. */
function costOf(task: () => unknown): number {
  let runs = 0;
  let spent = 0;
  for (const from = process.threadCpuUsage(); spent < ENOUGH_MICROSECONDS; runs += 1) {
    task();
    const { user, system } = process.threadCpuUsage(from);
    spent = user + system;
  }
  return spent / runs;
}
