/** A small site as the web application's build leaves it: pages in two languages, a script and files. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

export const PLACEHOLDER = 'https://placeholder.example';
export const GOOGLE = { on: 'data-google="on"', off: 'data-google="off"' };
export const CSP = "script-src 'self' 'sha256-x'; frame-ancestors 'none'";
export const SCRIPT = 'export const x = 1;'.repeat(100);

function page(file: string) {
  return { file, csp: CSP, etag: `"${file}"`, encodings: ['br', 'gzip'] };
}

function locale(code: string, tag: string, prefix: string) {
  return { code, tag, prefix, notFound: `${prefix}/404`, fallback: page(`shell-${code}.html`) };
}

export async function buildSite(root: string): Promise<void> {
  const html = (lang: string, text: string) =>
    `<!DOCTYPE html><html lang="${lang}" ${GOOGLE.on}><link rel="canonical" href="${PLACEHOLDER}/x"><p>${text}</p></html>`;
  const pages = {
    'index.html': html('en', 'home'),
    'kz.html': html('kk', 'басты бет'),
    'about.html': html('en', 'about'),
    'kz-about.html': html('kk', 'жоба туралы'),
    '404.html': html('en', 'Page Not Found'),
    'kz-404.html': html('kk', 'Бет табылмады'),
    'shell-en.html': html('en', 'shell'),
    'shell-kz.html': html('kk', 'shell'),
  };
  await mkdir(join(root, 'assets'));
  for (const [file, text] of Object.entries(pages)) await writeFile(join(root, file), text);
  await writeFile(join(root, 'robots.txt'), `Sitemap: ${PLACEHOLDER}/sitemap.xml\n`);
  await writeFile(join(root, 'version.json'), '{"build":"b1"}');
  await writeFile(join(root, 'secret.txt'), 'not in the list');
  await writeFile(join(root, 'assets/x.js'), SCRIPT);
  await writeFile(join(root, 'assets/x.js.br'), brotliCompressSync(SCRIPT));
  await writeFile(join(root, 'assets/x.js.gz'), gzipSync(SCRIPT));
  const list = {
    build: 'b1',
    placeholder: PLACEHOLDER,
    google: GOOGLE,
    headers: { 'x-content-type-options': 'nosniff', 'referrer-policy': 'same-origin' },
    locales: [locale('en', 'en', ''), locale('kz', 'kk', '/kz')],
    shellPaths: ['/contacts/*'],
    pages: {
      '/': page('index.html'),
      '/kz': page('kz.html'),
      '/about': page('about.html'),
      '/kz/about': page('kz-about.html'),
      '/404': page('404.html'),
      '/kz/404': page('kz-404.html'),
    },
    files: {
      '/assets/x.js': {
        file: 'assets/x.js',
        type: 'text/javascript',
        cache: 'forever',
        etag: '"x"',
        encodings: ['br', 'gzip'],
      },
      '/robots.txt': { file: 'robots.txt', type: 'text/plain', cache: 'day', etag: '"r"', encodings: [] },
      '/version.json': { file: 'version.json', type: 'application/json', cache: 'never', etag: '"v"', encodings: [] },
    },
  };
  await writeFile(join(root, 'site.json'), JSON.stringify(list));
}
