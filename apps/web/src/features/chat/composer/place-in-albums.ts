/** Which pictures are shown together. */
export interface Album {
  id: string;
  index: number;
  size: number;
}

/** What a message may say of its album; the next picture begins another. */
const MOST_TOGETHER = 100;

/** For each of so many pictures its place; one alone has none. */
export function placeInAlbums(count: number, newId: () => string): (Album | undefined)[] {
  const ids = Array.from({ length: Math.ceil(count / MOST_TOGETHER) }, newId);
  return Array.from({ length: count }, (_, place) => {
    const album = Math.floor(place / MOST_TOGETHER);
    const size = Math.min(MOST_TOGETHER, count - album * MOST_TOGETHER);
    return size > 1 ? { id: ids[album]!, index: place % MOST_TOGETHER, size } : undefined;
  });
}
