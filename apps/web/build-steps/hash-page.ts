// Lists the hashes of a page's inline scripts and style attributes; the browser refuses all others. Nonces would be
// useless here: the pages are files, the same for all users.
import { createHash } from 'node:crypto';

export interface PageHashes {
  scripts: string[];
  styles: string[];
}

function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

function decode(attribute: string): string {
  return attribute
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

function unique(values: string[]): string[] {
  return [...new Set(values)].toSorted();
}

export function hashPage(html: string): PageHashes {
  const scripts = [...html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)]
    .filter(([, attributes = '']) => !/\ssrc=/.test(attributes))
    .map(([, , code = '']) => hash(code));
  const markup = html.replaceAll(/<script\b[\s\S]*?<\/script>/g, '');
  const styles = [...markup.matchAll(/\sstyle="([^"]*)"/g)].map(([, style = '']) => hash(decode(style)));
  return { scripts: unique(scripts), styles: unique(styles) };
}
