import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepUnchanged } from './structural-sharing.ts';

test('for an equal value the old one is returned', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const previous = structuredClone(value);
      expect(keepUnchanged(previous, structuredClone(value))).toBe(previous);
    }),
  );
});

test('the result always equals the new value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (previous, next) => {
      expect(keepUnchanged<unknown>(previous, next)).toEqual(next);
    }),
  );
});

test('a line keeps its identity when another is added before it', () => {
  const previous = [{ sender: 's', id: 'b', body: Uint8Array.of(1) }];
  const next = keepUnchanged(previous, [
    { sender: 's', id: 'a', body: Uint8Array.of(2) },
    { sender: 's', id: 'b', body: Uint8Array.of(1) },
  ]);
  expect(next[1]).toBe(previous[0]);
});

test('a line whose bytes changed is new', () => {
  const previous = [{ sender: 's', id: 'b', body: Uint8Array.of(1) }];
  const next = keepUnchanged(previous, [{ sender: 's', id: 'b', body: Uint8Array.of(2) }]);
  expect(next[0]?.body).toEqual(Uint8Array.of(2));
});

test('a line that lost a field is new', () => {
  const previous: object[] = [{ sender: 's', id: 'b', body: 1 }];
  expect(keepUnchanged(previous, [{ sender: 's', id: 'b' }])).toEqual([{ sender: 's', id: 'b' }]);
});
