/** Pictures per row of an album, at most three; shorter rows come first. */
export function layOutAlbum(count: number): number[] {
  if (count <= 1) return [1];
  if (count === 3) return [1, 2];
  const rows = Array.from({ length: Math.floor(count / 3) }, () => 3);
  if (count % 3 === 2) return [2, ...rows];
  return count % 3 === 1 ? [2, 2, ...rows.slice(1)] : rows;
}

const ALBUM_PX = 340;
const GAP_PX = 3;
/** Aspect ratio (width / height) of a picture by the number of pictures in its row. */
export const shapes: Record<number, number> = { 1: 16 / 9, 2: 4 / 3, 3: 1 };

export function albumHeight(count: number): number {
  const rows = layOutAlbum(count);
  const heights = rows.map((inRow) => (ALBUM_PX - GAP_PX * (inRow - 1)) / inRow / (shapes[inRow] ?? 1));
  return heights.reduce((sum, height) => sum + height, GAP_PX * (rows.length - 1));
}
