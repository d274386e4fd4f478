import { paths } from '../lib/paths.ts';

const parameter = 'next';

/** What a page of sign-in is given to remember where the visitor wanted to go. */
export function searchFor(wanted: string): string {
  return `?${parameter}=${encodeURIComponent(wanted)}`;
}

export function signInPathFor(wanted: string): string {
  return paths.signIn + searchFor(wanted);
}

/** Where to go after signing in. Only a path of our own: a link to us must not lead people elsewhere. */
export function readNextPage(search: string): string | undefined {
  const next = new URLSearchParams(search).get(parameter);
  return next !== null && /^\/(?![/\\])/.test(next) ? next : undefined;
}
