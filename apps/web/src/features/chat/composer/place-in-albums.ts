/** Album of a picture and its position in it. */
export interface Album {
  id: string;
  index: number;
  size: number;
}

/** Limit of the message format; further pictures start another album. */
const MAX_ALBUM_SIZE = 100;

/** Assigns `count` pictures to albums; a single picture gets none. */
export function placeInAlbums(count: number, newId: () => string): (Album | undefined)[] {
  const ids = Array.from({ length: Math.ceil(count / MAX_ALBUM_SIZE) }, newId);
  return Array.from({ length: count }, (_, place) => {
    const album = Math.floor(place / MAX_ALBUM_SIZE);
    const size = Math.min(MAX_ALBUM_SIZE, count - album * MAX_ALBUM_SIZE);
    return size > 1 ? { id: ids[album]!, index: place % MAX_ALBUM_SIZE, size } : undefined;
  });
}
