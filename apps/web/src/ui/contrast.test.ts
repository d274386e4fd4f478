import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');

function readTokens(selector: string): Map<string, string> {
  const start = css.indexOf(`${selector} {`);
  const block = css.slice(start, css.indexOf('\n}', start));
  return new Map(
    Array.from(block.matchAll(/--([\w-]+): (#[\da-f]{6});/g), ([, name = '', value = '']) => [name, value]),
  );
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const light = readTokens(':root');
const themes = { light, dark: new Map([...light, ...readTokens('.dark')]) };

const text: [string, string][] = [
  ...['bg', 'surface', 'surface-2', 'paper'].flatMap((ground): [string, string][] => [
    ['text', ground],
    ['muted', ground],
  ]),
  ['text', 'accent-soft'],
  ['accent', 'bg'],
  ['accent', 'surface'],
  ['accent-strong', 'accent-soft'],
  ['on-accent', 'accent'],
  ['on-accent', 'accent-strong'],
  ['own-text', 'own'],
  ['own-meta', 'own'],
  ['sun-text', 'sun'],
  ['ok', 'ok-soft'],
  ['ok', 'surface'],
  ['danger', 'danger-soft'],
  ['danger', 'surface'],
  ['danger', 'bg'],
  ['on-danger', 'danger'],
  ...Array.from({ length: 8 }, (_, index): [string, string] => ['on-avatar', `avatar-${index}`]),
];

describe.each(Object.entries(themes))('in the %s theme', (_, tokens) => {
  it.each(text)('%s is readable on %s', (front, back) => {
    expect(contrast(tokens.get(front) ?? '', tokens.get(back) ?? '')).toBeGreaterThanOrEqual(4.5);
  });

  it.each(['bg', 'surface'])('a control stands out from %s', (ground) => {
    expect(contrast(tokens.get('field-line') ?? '', tokens.get(ground) ?? '')).toBeGreaterThanOrEqual(3);
  });
});
