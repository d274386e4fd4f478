import { expect, test } from 'vitest';
import { readData } from './structure.ts';

const WHEN = [{ key: 'when', type: 'datetime', required: false, array: false, size: 1 }] as const;

test('a time that PostgreSQL can not read is refused', () => {
  expect(readData(WHEN, { when: '2020-01-01' })).toEqual({ when: '2020-01-01T00:00:00.000+00:00' });
  for (const when of ['+275760-09-13T00:00:00Z', '-000001-01-01T00:00:00Z', 'soon'])
    expect(() => readData(WHEN, { when })).toThrow('invalid type or size');
});
