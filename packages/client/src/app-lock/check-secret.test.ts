import { expect, test } from 'vitest';
import { checkPassphrase, checkPin } from './check-secret.ts';

test.each(['482913', '00421957', '9'.repeat(3) + '14159265358979323846264338327'])('L2: %s may be a PIN', (pin) => {
  expect(checkPin(pin)).toBeUndefined();
});

test.each([
  ['48291', 'pinShort'],
  ['4829a3', 'pinDigits'],
  ['4829137'.repeat(5), 'pinLong'],
  ['000000', 'pinGuessable'],
  ['123456', 'pinGuessable'],
  ['987654', 'pinGuessable'],
  ['864208', 'pinGuessable'],
  ['121212', 'pinGuessable'],
  ['123123', 'pinGuessable'],
  ['112211', 'pinGuessable'],
])('L2: %s may not be a PIN: %s', (pin, problem) => {
  expect(checkPin(pin)).toBe(problem);
});

test('L2: a passphrase has twelve characters at least, and not only one of them repeated', () => {
  expect(checkPassphrase('steppe wind ')).toBe('phraseShort');
  expect(checkPassphrase('aaaaaaaaaaaaaaaa')).toBe('phraseShort');
  expect(checkPassphrase('дала желі соғады')).toBeUndefined();
  expect(checkPassphrase('steppe wind '.repeat(20))).toBe('phraseLong');
});
