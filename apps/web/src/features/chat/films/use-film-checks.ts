import { useEffect, useState } from 'react';
import { inspectFilm } from './film-tasks.ts';
import type { FilmFacts } from './inspect-film.ts';
import { isFilm } from './is-film.ts';

export type FilmCheck = 'checking' | 'uncleanable' | FilmFacts;

/** What can be done with each film among the files, read one after the other. Other files have no entry. */
export function useFilmChecks(files: readonly File[]): ReadonlyMap<File, FilmCheck> {
  const [checks, setChecks] = useState<ReadonlyMap<File, FilmCheck>>(
    () => new Map(files.filter(isFilm).map((file) => [file, 'checking'])),
  );
  useEffect(() => {
    const left = new AbortController();
    const check = async () => {
      for (const file of files.filter(isFilm)) {
        const found = await inspectFilm(file, left).catch(() => 'uncleanable' as const);
        if (left.signal.aborted) return;
        setChecks((before) => new Map(before).set(file, found));
      }
    };
    void check();
    return () => left.abort();
  }, [files]);
  return checks;
}
