import { LinkifyIt } from 'linkify-it';
import type { FoundLink } from './parse-text.ts';

// Only what opens a page or a mail program: `javascript:` never becomes a link because it is never looked for.
const links = new LinkifyIt({ fuzzyIP: false }).add('ftp:', null).add('//', null);

export function findLinks(text: string): FoundLink[] {
  return links.match(text) ?? [];
}
