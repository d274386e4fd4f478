import { createSecretKey, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { createSealer } from './sealed-values.ts';

function someKey(): KeyObject {
  return createSecretKey(randomBytes(32));
}

test('a value comes back in its context, and nothing of it shows on the way', () => {
  const sealer = createSealer([someKey()]);
  const value = { code: '482913', to: 'aigerim@example.org' };
  const sealed = sealer.seal('job mail 1', value);
  expect(sealer.open('job mail 1', sealed)).toEqual(value);
  expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('482913');
  expect(sealer.seal('job mail 1', value)).not.toBe(sealed);
});

test('the same value is sealed alike where that is wanted, and opens like any other', () => {
  const sealer = createSealer([someKey()]);
  const sealed = sealer.sealDeterministically('picture', ['a', 7]);
  expect(sealer.sealDeterministically('picture', ['a', 7])).toBe(sealed);
  expect(sealer.sealDeterministically('picture', ['a', 8]).slice(8, 24)).not.toBe(sealed.slice(8, 24));
  expect(sealer.sealDeterministically('other', ['a', 7]).slice(8, 24)).not.toBe(sealed.slice(8, 24));
  expect(sealer.open('picture', sealed)).toEqual(['a', 7]);
  expect(sealer.open('other', sealed)).toBeUndefined();
});

test('another context, another key or a changed byte opens nothing', () => {
  const sealer = createSealer([someKey()]);
  const sealed = sealer.seal('job mail 1', 'words');
  expect(sealer.open('job mail 2', sealed)).toBeUndefined();
  expect(createSealer([someKey()]).open('job mail 1', sealed)).toBeUndefined();
  const bytes = Buffer.from(sealed, 'base64url');
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes);
    changed[at]! ^= 1;
    expect(sealer.open('job mail 1', changed.toString('base64url'))).toBeUndefined();
  }
  for (const nonsense of ['', 'words', sealed.slice(0, -2)]) {
    expect(sealer.open('job mail 1', nonsense)).toBeUndefined();
  }
});

test('a key that is replaced still opens what it sealed', () => {
  const [old, fresh] = [someKey(), someKey()];
  const sealed = createSealer([old]).seal('ticket', 7);
  const both = createSealer([fresh, old]);
  expect(both.open('ticket', sealed)).toBe(7);
  expect(createSealer([fresh]).open('ticket', both.seal('ticket', 8))).toBe(8);
});

test('a keyed hash is the same for the same purpose and words only', () => {
  const sealer = createSealer([someKey()]);
  expect(sealer.mac('code', '482913')).toEqual(sealer.mac('code', '482913'));
  expect(sealer.mac('code', '482913')).not.toEqual(sealer.mac('code4', '82913'));
  expect(sealer.mac('code', '482913')).not.toEqual(createSealer([someKey()]).mac('code', '482913'));
});

test('a key that is logged by mistake prints no bytes', () => {
  const bytes = Buffer.from('0123456789abcdef0123456789abcdef');
  const key = createSecretKey(bytes);
  expect(inspect(key, { depth: 5, showHidden: true }) + JSON.stringify(key)).not.toContain('30, 31');
  expect(inspect(key)).not.toContain('0123');
});
