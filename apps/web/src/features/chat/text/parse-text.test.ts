import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { findLinks } from './find-links.ts';
import { type FoundLink, isLargeEmoji, parseText, type TextNode } from './parse-text.ts';

function plain(text: string) {
  return { kind: 'text', text };
}

test('marks at word boundaries become formatting, also nested', () => {
  expect(parseText('a *bold _and italic_* word', findLinks)).toEqual([
    plain('a '),
    { kind: 'bold', nodes: [plain('bold '), { kind: 'italic', nodes: [plain('and italic')] }] },
    plain(' word'),
  ]);
});

test.each(['2*3*4', 'snake_case_name', '* list', 'a ~ b ~ c', '**', 'үй_жай_жер'])('%s stays plain text', (text) => {
  expect(parseText(text, findLinks)).toEqual([plain(text)]);
});

test('addresses become links and keep their underscores', () => {
  expect(parseText('see https://example.org/a_b_c, or mail me@example.org', findLinks)).toEqual([
    plain('see '),
    { kind: 'link', text: 'https://example.org/a_b_c', href: 'https://example.org/a_b_c' },
    plain(', or mail '),
    { kind: 'link', text: 'me@example.org', href: 'mailto:me@example.org' },
  ]);
});

function guessOne(): FoundLink[] {
  return [{ index: 4, lastIndex: 18, text: 'x.org/_next_/a' }];
}

test('a word that may be a link stays plain text until the link finder is loaded', () => {
  expect(parseText('see x.org/_next_/a or *not*', guessOne)).toEqual([
    plain('see '),
    plain('x.org/_next_/a'),
    plain(' or '),
    { kind: 'bold', nodes: [plain('not')] },
  ]);
});

test.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', '//example.org/x'])(
  '%s does not become a link',
  (text) => {
    expect(parseText(text, findLinks).some(({ kind }) => kind === 'link')).toBe(false);
  },
);

test('code contains no formatting and no links', () => {
  expect(parseText('`*a*` and\n```\nhttps://example.org\n```', findLinks)).toEqual([
    { kind: 'code', text: '*a*' },
    plain(' and\n'),
    { kind: 'block', text: 'https://example.org' },
  ]);
});

test('parsing loses no characters except the marks', () => {
  for (const text of ['*a* _b_ ~c~', 'x `y` z', '*_~`', 'a\n*b*\nc']) {
    expect(lettersOf(parseText(text, findLinks))).toBe(text.replaceAll(/[*_~`](?=[abcy])|(?<=[abcy])[*_~`]/g, ''));
  }
});

function lettersOf(nodes: TextNode[]): string {
  return nodes.map((node) => ('nodes' in node ? lettersOf(node.nodes) : node.text)).join('');
}

test('one to three emoji without other text are large', () => {
  expect(isLargeEmoji('🎉')).toBe(true);
  expect(isLargeEmoji('👨‍👩‍👧 ❤️')).toBe(true);
  expect(isLargeEmoji('🎉🎉🎉🎉')).toBe(false);
  expect(isLargeEmoji('🎉 ура')).toBe(false);
  expect(isLargeEmoji('12')).toBe(false);
  expect(isLargeEmoji('👍🏽 👩🏽‍🚀\n1️⃣')).toBe(true);
  expect(isLargeEmoji(' ')).toBe(false);
});

/** Reference implementation: one short pattern, too slow for text from other people. */
const marked = /(?<![\p{L}\p{N}\\])([*_~])(?=\S)([^\n]*?\S)\1(?![\p{L}\p{N}])/gu;
const kinds = { '*': 'bold', _: 'italic', '~': 'struck' } as const;

function parseSlowly(text: string): TextNode[] {
  const nodes: TextNode[] = [];
  let from = 0;
  for (const { 0: all, 1: mark, 2: inner = '', index } of text.matchAll(marked)) {
    if (index > from) nodes.push({ kind: 'text', text: text.slice(from, index) });
    nodes.push({ kind: kinds[mark as keyof typeof kinds], nodes: parseSlowly(inner) });
    from = index + all.length;
  }
  return from < text.length ? [...nodes, { kind: 'text', text: text.slice(from) }] : nodes;
}

test('marks are paired as in the reference implementation', () => {
  const letters = fc.constantFrom('*', '_', '~', '*', '_', 'a', 'ә', '7', ' ', '\n', '\\', '.', '😀');
  fc.assert(
    fc.property(fc.string({ unit: letters, maxLength: 40 }), (text) => {
      expect(parseText(text, () => [])).toEqual(parseSlowly(text));
    }),
    { numRuns: 5000 },
  );
});

/** CPU time is measured in steps of four milliseconds, so a measurement takes at least 40 ms. */
const ENOUGH_MICROSECONDS = 40_000;

/** CPU time of one run in this thread, which does not depend on the load of the machine. */
function costOf(run: () => unknown): number {
  let runs = 0;
  let spent = 0;
  for (const from = process.threadCpuUsage(); spent < ENOUGH_MICROSECONDS; runs += 1) {
    run();
    const { user, system } = process.threadCpuUsage(from);
    spent = user + system;
  }
  return spent / runs;
}

/** Whether `large` costs less than `times` as much as `small`. Up to three tries, because other load only adds cost. */
function isWithin(times: number, large: () => void, small: () => void): boolean {
  return Array.from({ length: 3 }).some(() => costOf(large) / costOf(small) < times);
}

function fill(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
}

test.each([
  '*a ',
  ' *',
  '*a ~b _c ',
  ' *a ~b _c',
  '*_',
  '*a\n',
  '`',
  '`a',
  '`a\n',
  '```a',
  '```\n',
  '@a.',
  'a@b.kz ',
  'http://',
  'http://a.kz/(',
  'http://a.kz/"',
  'a.',
])('16 KB of "%s" cost at most four times as much per letter as 1 KB', (piece) => {
  const [short, long] = [fill(piece, 1024), fill(piece, 16 * 1024)];
  // Warms up the engine: the first run is the slowest.
  parseText(long, findLinks);
  const parseLong = () => parseText(long, findLinks);
  const parseShort = () => parseText(short, findLinks);
  expect(isWithin(4 * 16, parseLong, parseShort)).toBe(true);
});

test('emoji sequences that match in several ways take linear time', () => {
  const [short, long] = ['👍🏽👍🏽👍🏽a', `${'👍🏽'.repeat(15)}a`];
  const judgeLong = () => isLargeEmoji(long);
  const judgeShort = () => isLargeEmoji(short);
  expect(isWithin(4 * 5, judgeLong, judgeShort)).toBe(true);
});
