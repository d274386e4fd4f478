import { expect, test } from 'vitest';
import { placeInAlbums } from './place-in-albums.ts';

function place(count: number) {
  let ids = 0;
  return placeInAlbums(count, () => `album ${(ids += 1)}`);
}

test('pictures sent together form an album, a single picture does not', () => {
  expect(place(1)).toEqual([undefined]);
  expect(place(2)).toEqual([
    { id: 'album 1', index: 0, size: 2 },
    { id: 'album 1', index: 1, size: 2 },
  ]);
});

test('pictures beyond the size limit start another album', () => {
  const places = place(201);
  expect(places[99]).toEqual({ id: 'album 1', index: 99, size: 100 });
  expect(places[100]).toEqual({ id: 'album 2', index: 0, size: 100 });
  expect(places[200]).toBeUndefined();
});
