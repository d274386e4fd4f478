import { paths } from '../lib/paths.ts';

const parameter = 'next';

/** The search string that makes sign-in pages remember where the visitor wanted to go. */
export function searchFor(wanted: string): string {
  return `?${parameter}=${encodeURIComponent(wanted)}`;
}

export function signInPathFor(wanted: string): string {
  return paths.signIn + searchFor(wanted);
}

/** Where to go after signing in. Only our own paths, so that a link to us can't lead people to other sites. */
export function readNextPage(search: string): string | undefined {
  const next = new URLSearchParams(search).get(parameter);
  return next !== null && /^\/(?![/\\])/.test(next) ? next : undefined;
}
