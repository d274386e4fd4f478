// What machines read: the sitemap, the rules for crawlers, and what a phone needs to install the page.
import { readFileSync } from 'node:fs';
import { locales, localisePath } from '../src/core/locale.ts';
import { paths, publicPaths } from '../src/core/paths.ts';
import { productName } from '../src/product.ts';

/** Colours are named in the tokens and nowhere else. */
function readToken(name: string): string {
  const tokens = readFileSync(new URL('../src/ui/tokens.css', import.meta.url), 'utf8');
  const value = new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(tokens)?.[1];
  if (value === undefined) throw new Error(`no colour --${name} in the tokens`);
  return value;
}

export function writeSitemap(origin: string): string {
  const pages = publicPaths.flatMap((path) =>
    locales.map(({ code }) => {
      const others = locales.map(
        (other) =>
          `    <xhtml:link rel="alternate" hreflang="${other.tag}" href="${origin}${localisePath(other.code, path)}"/>`,
      );
      return ['  <url>', `    <loc>${origin}${localisePath(code, path)}</loc>`, ...others, '  </url>'].join('\n');
    }),
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...pages,
    '</urlset>',
    '',
  ].join('\n');
}

export function writeRobots(origin: string): string {
  return ['User-agent: *', 'Disallow: /api/', 'Disallow: /v1/', '', `Sitemap: ${origin}/sitemap.xml`, ''].join('\n');
}

export function writeWebManifest(): string {
  return JSON.stringify({
    name: productName,
    short_name: productName,
    id: '/',
    start_url: paths.contacts,
    scope: '/',
    display: 'standalone',
    background_color: readToken('bg'),
    theme_color: readToken('accent'),
    icons: [
      { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
      { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  });
}
