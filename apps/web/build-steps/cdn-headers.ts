import type { SiteManifest } from './site-list.ts';

const cacheControl = {
  forever: 'public, max-age=31536000, immutable',
  day: 'public, max-age=86400',
  never: 'no-store',
  page: 'no-cache',
};

/** Writes the headers in the format of static hosts, for operators with a CDN in front. */
export function writeCdnHeaders({ headers, pages, files }: SiteManifest): string {
  const blocks: [string, Record<string, string>][] = [
    ['/*', headers],
    ...Object.entries(pages).map(([path, { csp }]): [string, Record<string, string>] => [
      path,
      { 'cache-control': cacheControl.page, 'content-security-policy': csp },
    ]),
    ['/assets/*', { 'cache-control': cacheControl.forever }],
    ...Object.entries(files)
      .filter(([, { cache }]) => cache !== 'forever')
      .map(([path, { cache, csp }]): [string, Record<string, string>] => [
        path,
        { 'cache-control': cacheControl[cache], ...(csp !== undefined && { 'content-security-policy': csp }) },
      ]),
  ];
  return blocks
    .map(([path, lines]) => [path, ...Object.entries(lines).map(([name, value]) => `  ${name}: ${value}`)].join('\n'))
    .join('\n')
    .concat('\n');
}
