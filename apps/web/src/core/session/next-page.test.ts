import { expect, it } from 'vitest';
import { readNextPage, signInPathFor } from './next-page.ts';

it('sign-in remembers where the visitor wanted to go', () => {
  const [, search = ''] = signInPathFor('/contacts/dina?from=a&b').split('?');
  expect(readNextPage(search)).toBe('/contacts/dina?from=a&b');
});

it.each(['?next=https%3A%2F%2Fevil.example', '?next=%2F%2Fevil.example', '?next=%2F%5Cevil.example', '?next=x', ''])(
  'sign-in never leads to another site: %s',
  (search) => {
    expect(readNextPage(search)).toBeUndefined();
  },
);
