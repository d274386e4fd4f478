/** Which pictures are shown together. */
export interface Album {
  id: string;
  index: number;
  size: number;
}

/** What a message may say of its album; the next picture begins another. */
const MAX_ALBUM_SIZE = 100;

/** For each of so many pictures its place; one alone has none. */
export function placeInAlbums(count: number, newId: () => string): (Album | undefined)[] {
  const ids = Array.from({ length: Math.ceil(count / MAX_ALBUM_SIZE) }, newId);
  return Array.from({ length: count }, (_, place) => {
    const album = Math.floor(place / MAX_ALBUM_SIZE);
    const size = Math.min(MAX_ALBUM_SIZE, count - album * MAX_ALBUM_SIZE);
    return size > 1 ? { id: ids[album]!, index: place % MAX_ALBUM_SIZE, size } : undefined;
  });
}
