import { LinkifyIt } from 'linkify-it';
import type { FoundLink } from './parse-text.ts';

// Only web and email links: other schemes, such as `javascript:`, are never matched and so never become links.
const links = new LinkifyIt({ fuzzyIP: false }).add('ftp:', null).add('//', null);

export function findLinks(text: string): FoundLink[] {
  return links.match(text) ?? [];
}
