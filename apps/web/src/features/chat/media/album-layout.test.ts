import { expect, test } from 'vitest';
import { albumHeight, layOutAlbum } from './album-layout.ts';

test('every picture of an album is in a row, at most three per row', () => {
  for (let count = 1; count <= 100; count += 1) {
    const rows = layOutAlbum(count);
    expect(rows.reduce((sum, row) => sum + row, 0)).toBe(count);
    expect(Math.max(...rows)).toBeLessThanOrEqual(3);
    expect(Math.min(...rows)).toBeGreaterThan(0);
  }
  expect([2, 3, 4, 5, 7].map(layOutAlbum)).toEqual([[2], [1, 2], [2, 2], [2, 3], [2, 2, 3]]);
});

test('the height grows with the number of pictures', () => {
  expect(albumHeight(2)).toBeLessThan(albumHeight(4));
  expect(albumHeight(9)).toBeLessThan(albumHeight(10));
});
