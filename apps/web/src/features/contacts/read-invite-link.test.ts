import { expect, test } from 'vitest';
import { readInviteLink } from './read-invite-link.ts';

const inside = `${'A'.repeat(43)}.${'b-_'.repeat(7)}c`;

test('an invitation is found in a link of any language, and alone', () => {
  for (const text of [inside, `#${inside}`, ` https://dostar.example/kz/invite#${inside} `]) {
    expect(readInviteLink(text)).toBe(inside);
  }
});

test('a username, half a link and another address are none', () => {
  for (const text of [
    'brave.eagle1234',
    `https://dostar.example/invite#${'A'.repeat(43)}`,
    'https://example.org/#x.y',
  ]) {
    expect(readInviteLink(text)).toBe(undefined);
  }
});
