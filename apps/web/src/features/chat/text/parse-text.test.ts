import { expect, test } from 'vitest';
import { findLinks } from './find-links.ts';
import { type FoundLink, isLargeEmoji, parseText } from './parse-text.ts';

function plain(text: string) {
  return { kind: 'text', text };
}

test('marks at the edges of words become formatting, also inside each other', () => {
  expect(parseText('a *bold _and italic_* word', findLinks)).toEqual([
    plain('a '),
    { kind: 'bold', nodes: [plain('bold '), { kind: 'italic', nodes: [plain('and italic')] }] },
    plain(' word'),
  ]);
});

test.each(['2*3*4', 'snake_case_name', '* list', 'a ~ b ~ c', '**', 'үй_жай_жер'])('%s stays what it is', (text) => {
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

test('a word that may be an address keeps its letters until that is known', () => {
  expect(parseText('see x.org/_next_/a or *not*', guessOne)).toEqual([
    plain('see '),
    plain('x.org/_next_/a'),
    plain(' or '),
    { kind: 'bold', nodes: [plain('not')] },
  ]);
});

test.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', '//example.org/x'])(
  '%s is no link',
  (text) => {
    expect(parseText(text, findLinks).some(({ kind }) => kind === 'link')).toBe(false);
  },
);

test('code keeps marks and links as letters', () => {
  expect(parseText('`*a*` and\n```\nhttps://example.org\n```', findLinks)).toEqual([
    { kind: 'code', text: '*a*' },
    plain(' and\n'),
    { kind: 'block', text: 'https://example.org' },
  ]);
});

test('every letter of a message is still there', () => {
  for (const text of ['*a* _b_ ~c~', 'x `y` z', '*_~`', 'a\n*b*\nc']) {
    expect(lettersOf(parseText(text, findLinks))).toBe(text.replaceAll(/[*_~`](?=[abcy])|(?<=[abcy])[*_~`]/g, ''));
  }
});

function lettersOf(nodes: ReturnType<typeof parseText>): string {
  return nodes.map((node) => ('nodes' in node ? lettersOf(node.nodes) : node.text)).join('');
}

test('a few emoji alone are large, with words or many they are not', () => {
  expect(isLargeEmoji('🎉')).toBe(true);
  expect(isLargeEmoji('👨‍👩‍👧 ❤️')).toBe(true);
  expect(isLargeEmoji('🎉🎉🎉🎉')).toBe(false);
  expect(isLargeEmoji('🎉 ура')).toBe(false);
  expect(isLargeEmoji('12')).toBe(false);
});
