import { expect, test } from 'vitest';
import { readInviteLink } from './read-invite-link.ts';

const inside = `${'A'.repeat(43)}.${'b-_'.repeat(7)}c`;

test('finds an invite in a link of any language, and without a link', () => {
  for (const text of [inside, `#${inside}`, ` https://dostar.example/kz/invite#${inside} `]) {
    expect(readInviteLink(text)).toBe(inside);
  }
});

test('a username, an incomplete link and another URL are not invites', () => {
  for (const text of [
    'brave.eagle1234',
    `https://dostar.example/invite#${'A'.repeat(43)}`,
    'https://example.org/#x.y',
  ]) {
    expect(readInviteLink(text)).toBe(undefined);
  }
});
