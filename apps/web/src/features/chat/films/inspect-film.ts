import { chooseFormat, openFilm, type OpenFilm, readDuration } from './open-film.ts';
import { prepareShrinking } from './shrink-film.ts';
import { type SmallerFilm, toSmaller } from './smaller-size.ts';

export interface FilmFacts {
  /** Bytes that a smaller copy would have, about. Missing where that is not worth it or not possible here. */
  smallerBytes?: number;
}

/** Throws if what is hidden in the film can't be removed. Reads little of it. */
export async function inspectFilm(source: Blob): Promise<FilmFacts> {
  using film = await openFilm(source);
  await chooseFormat(film);
  const smaller = await planSmaller(film, source.size);
  const canShrink = smaller !== undefined && (await prepareShrinking(film, smaller)) !== undefined;
  return canShrink ? { smallerBytes: smaller.bytes } : {};
}

export async function planSmaller(film: OpenFilm, bytes: number): Promise<SmallerFilm | undefined> {
  const { video } = film;
  const width = await video.getDisplayWidth();
  const height = await video.getDisplayHeight();
  return toSmaller({ width, height, bytes, duration: await readDuration(film) });
}
