// Files for machines: the sitemap, the rules for crawlers, and the manifests with which phones install the app.
import { readFileSync } from 'node:fs';
import { type Locale, locales, localisePath } from '../src/core/i18n/locale.ts';
import { apiReferencePath, paths, publicPaths } from '../src/core/lib/paths.ts';
import { productName } from '../src/product.ts';

/** Reads a colour from the tokens, the only file that names colours. */
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
    `  <url>\n    <loc>${origin}${apiReferencePath}</loc>\n  </url>`,
    '</urlset>',
    '',
  ].join('\n');
}

export function writeRobots(origin: string): string {
  return ['User-agent: *', 'Disallow: /api/', 'Disallow: /v1/', '', `Sitemap: ${origin}/sitemap.xml`, ''].join('\n');
}

/** `./dev shots` takes them. */
const screenshots = [
  { name: 'list', width: 824, height: 1784, form: 'narrow' },
  { name: 'chat', width: 824, height: 1784, form: 'narrow' },
  { name: 'wide', width: 1280, height: 800, form: 'wide' },
] as const;

interface Words {
  app: { install: { pictures: Record<(typeof screenshots)[number]['name'], string> } };
  shell: { nav: { chats: string; settings: string } };
  contacts: { pages: { searchContacts: { title: string } } };
  landing: { pages: { home: { description: string } } };
}

function readWords(code: string): Words {
  const read = (name: string): unknown =>
    JSON.parse(readFileSync(new URL(`../src/locales/${code}/${name}.json`, import.meta.url), 'utf8'));
  return { app: read('app'), shell: read('shell'), contacts: read('contacts'), landing: read('landing') } as Words;
}

/** The app has the same `id` in every language, so that it counts as one app. */
export function writeWebManifest({ code, tag }: Locale): string {
  const { app, shell, contacts, landing } = readWords(code);
  const icons = [{ src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' }];
  const shortcuts = [
    { name: shell.nav.chats, url: paths.contacts },
    { name: contacts.pages.searchContacts.title, url: paths.searchContacts },
    { name: shell.nav.settings, url: paths.settings },
  ];
  return JSON.stringify({
    name: productName,
    short_name: productName,
    description: landing.pages.home.description,
    lang: tag,
    dir: 'ltr',
    id: '/',
    start_url: localisePath(code, paths.contacts),
    scope: '/',
    display: 'standalone',
    categories: ['social', 'communication'],
    background_color: readToken('bg'),
    theme_color: readToken('accent'),
    icons: [
      { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
      { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
    shortcuts: shortcuts.map(({ name, url }) => ({ name, url: localisePath(code, url), icons })),
    screenshots: screenshots.map(({ name, width, height, form }) => ({
      src: `/screenshots/${code}-${name}.webp`,
      sizes: `${width}x${height}`,
      type: 'image/webp',
      form_factor: form,
      label: app.install.pictures[name],
    })),
  });
}
