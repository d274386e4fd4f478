import { expect, test } from 'vitest';
import { findLinks } from './find-links.ts';
import { isDeceptiveLink } from './is-deceptive-link.ts';

function hrefOf(text: string): string {
  return findLinks(text)[0]!.url!;
}

test.each([
  'https://example.org/ё?q=мир#тест',
  'https://президент.рф/новости',
  'HTTPS://EXAMPLE.ORG:8443/a@b',
  'person@example.org',
  'https://127.0.0.1:3000/',
])('%s shows the host that it opens', (text) => {
  expect(isDeceptiveLink(hrefOf(text))).toBe(false);
});

test.each([
  'https://xn--80ak6aa92e.com/',
  'https://login.xn--pple-43d.com',
  // With Cyrillic letters that look like Latin ones.
  'https://аpple.com/',
  'https://аррӏе.com/',
  'https://gοogle.com/',
  'person@аpple.com',
])('%s may show another host than it opens', (text) => {
  expect(isDeceptiveLink(hrefOf(text))).toBe(true);
});
