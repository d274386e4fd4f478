import { expect, test } from 'vitest';
import { holdsRegistryAddress, isTooLong } from '../dev/hygiene.ts';

test('a file may have 400 lines and not one more', () => {
  expect(isTooLong('line\n'.repeat(400))).toBe(false);
  expect(isTooLong('line\n'.repeat(401))).toBe(true);
});

test('the address of a package registry is found, also of a private one', () => {
  // Concatenated, because the check would find this file otherwise.
  const names = [['registry', 'npmjs', 'org'].join('.'), ['https:/', '/', 'my-registry.example.org/a.tgz'].join('')];
  for (const name of names) expect(holdsRegistryAddress(`resolved: ${name}`)).toBe(true);
  expect(holdsRegistryAddress('A registry of names, see https://example.org/registry')).toBe(false);
});
