/** What the public face promises to anything that speaks HTTP: browsers, crawlers, link previews, networks in between. */
import { type APIRequestContext, expect, request as http, test } from '@playwright/test';
import { type Site, startSite } from './support/site.ts';

const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
const crawler = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const languages = [
  { prefix: '', tag: 'en', missing: 'Page Not Found' },
  { prefix: '/kz', tag: 'kk', missing: 'Бет табылмады' },
  { prefix: '/ru', tag: 'ru', missing: 'Страница не найдена' },
];
const publicPages = ['/', '/about', '/tutorials', '/components', '/sign-in', '/sign-up'];

let site: Site;
let visitor: APIRequestContext;
test.beforeAll(async () => {
  site = await startSite();
  visitor = await http.newContext({ baseURL: site.origin, userAgent: browser, maxRedirects: 0 });
});
test.afterAll(async () => {
  await visitor.dispose();
  await site[Symbol.asyncDispose]();
});

for (const { prefix, tag, missing } of languages) {
  test(`${tag}: pages are finished HTML in their language, and name the others`, async () => {
    for (const page of publicPages) {
      const path = page === '/' ? prefix || '/' : prefix + page;
      const reply = await visitor.get(path);
      const html = await reply.text();
      expect(reply.status(), path).toBe(200);
      expect(html, path).toContain(`<html lang="${tag}"`);
      expect(html, path).toContain(`rel="canonical" href="${site.origin}${path === '/' ? '/' : path}"`);
      for (const other of languages) expect(html, path).toContain(`hrefLang="${other.tag}"`);
      expect(html, path).toMatch(/<h1\b/);
      expect(html, path).not.toContain('dostar.example');
    }
  });

  test(`${tag}: an unknown path is a real 404 with a page, and a bare one for a crawler`, async () => {
    for (const path of [`${prefix}/nothing-here`, `${prefix}/about/deeper`, `${prefix}/contacts/a/b`]) {
      const reply = await visitor.get(path);
      expect(reply.status(), path).toBe(404);
      expect(await reply.text(), path).toContain(missing);
      const bare = await visitor.get(path, { headers: { 'user-agent': crawler } });
      expect(bare.status(), path).toBe(404);
      expect((await bare.body()).length, path).toBe(0);
    }
    const known = await visitor.get(`${prefix}/about`, { headers: { 'user-agent': crawler } });
    expect((await known.body()).length).toBeGreaterThan(1000);
  });

  test(`${tag}: a chat's address opens the application in its language`, async () => {
    const reply = await visitor.get(`${prefix}/contacts/aigerim.1234`);
    expect(reply.status()).toBe(200);
    expect(await reply.text()).toContain(`<html lang="${tag}"`);
  });
}

test('every page carries a strict policy of its own, and the headers that keep others out', async () => {
  const policies = new Set<string>();
  for (const path of ['/', '/kz/about', '/ru/tutorials', '/sign-in', '/nothing-here', '/contacts/somebody']) {
    const headers = (await visitor.get(path)).headers();
    const policy = headers['content-security-policy'] ?? '';
    policies.add(policy);
    expect(policy, path).toContain("default-src 'none'");
    expect(policy, path).toMatch(/script-src 'self' 'wasm-unsafe-eval'( 'sha256-[\w+/=]+')+;/);
    expect(policy, path).toContain("require-trusted-types-for 'script'; trusted-types default");
    expect(policy, path).toContain("frame-ancestors 'none'");
    expect(policy, path).not.toMatch(/unsafe-inline|unsafe-eval'(?<!wasm-unsafe-eval')/);
    expect(headers, path).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-cache',
    });
    expect(headers['permissions-policy'], path).toContain('geolocation=()');
  }
  expect(policies.size).toBeGreaterThan(1);
});

test('scripts, styles, fonts and words are packed and kept for ever', async () => {
  const html = await (await visitor.get('/kz')).text();
  const assets = [...new Set([...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? ''))];
  expect(assets.length).toBeGreaterThan(5);
  for (const asset of assets) {
    const headers = (await visitor.get(asset, { headers: { 'accept-encoding': 'gzip, br' } })).headers();
    expect(headers['cache-control'], asset).toBe('public, max-age=31536000, immutable');
    expect(headers['x-content-type-options'], asset).toBe('nosniff');
    const isPacked = Number(headers['content-length']) < 1024 || asset.endsWith('.woff2');
    if (!isPacked) expect(headers['content-encoding'], asset).toBe('br');
  }
});

test('a page that has not changed is answered in a few bytes', async () => {
  const { etag = '' } = (await visitor.get('/about')).headers();
  const again = await visitor.get('/about', { headers: { 'if-none-match': etag } });
  expect(again.status()).toBe(304);
});

test('other spellings of an address lead to the one', async () => {
  for (const [from, to] of [
    ['/about/', '/about'],
    ['/kk/about', '/kz/about'],
    ['/en/tutorials', '/tutorials'],
    ['/kz/', '/kz'],
  ]) {
    const reply = await visitor.get(from ?? '');
    expect([reply.status(), reply.headers()['location']]).toEqual([308, to]);
  }
});

test('crawlers find the sitemap, phones the icons, previews their picture', async () => {
  expect(await (await visitor.get('/robots.txt')).text()).toContain(`Sitemap: ${site.origin}/sitemap.xml`);
  const sitemap = await (await visitor.get('/sitemap.xml')).text();
  expect(sitemap).toContain(`<loc>${site.origin}/kz/about</loc>`);
  expect(sitemap).toContain('hreflang="kk"');

  const manifest = (await (await visitor.get('/manifest.webmanifest')).json()) as {
    name: string;
    start_url: string;
    icons: { src: string }[];
  };
  expect(manifest).toMatchObject({ name: 'Dostar', start_url: '/contacts' });
  const pictures = manifest.icons.map(({ src }) => src);
  const others = ['/favicon.ico', '/icons/apple-touch-icon.png', '/social/en.png', '/social/kz.png', '/social/ru.png'];
  for (const path of [...pictures, ...others]) {
    const reply = await visitor.get(path);
    expect(reply.status(), path).toBe(200);
    expect(reply.headers()['content-type'], path).toMatch(/^image\//);
  }
});

test('the service worker is asked for anew each time, and may do little', async () => {
  const headers = (await visitor.get('/service-worker.js')).headers();
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['content-type']).toContain('text/javascript');
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; report-uri /csp-report",
  );
});

test('pages and workers begin with the names that WebKit lacks', async () => {
  const { files } = (await (await visitor.get('/manifest.json')).json()) as { files: Record<string, string> };
  const workers = Object.keys(files).filter((file) =>
    /^\/(?:service-worker|assets\/(?:\w+\.worker|aside)-[\w-]+)\.js$/.test(file),
  );
  expect(workers.length).toBeGreaterThan(4);
  const names = /\bof ?\[['`]dispose['`], ?['`]asyncDispose['`]\]/;
  for (const worker of workers) expect((await (await visitor.get(worker)).text()).slice(0, 60), worker).toMatch(names);
  expect(await (await visitor.get('/sign-in')).text()).toMatch(names);
});

test('the app is installed in its language, with shortcuts', async () => {
  for (const { prefix, tag } of languages) {
    const reply = await visitor.get(`${prefix}/manifest.webmanifest`);
    const manifest = (await reply.json()) as { shortcuts: { url: string }[] };
    expect(manifest).toMatchObject({ id: '/', lang: tag, start_url: `${prefix}/contacts` });
    expect(manifest.shortcuts.map(({ url }) => url)).toContain(`${prefix}/search-contacts`);
  }
});

test('the current build is never remembered, and the counters are real numbers', async () => {
  const version = await visitor.get('/version.json');
  expect(version.headers()['cache-control']).toBe('no-store');
  expect(await version.text()).toMatch(/^\{"build":"\w+"\}$/);
  const stats = await visitor.get('/api/stats', { headers: { 'x-dostar': '1' } });
  expect(await stats.json()).toEqual({ users: 2, messages: 0, verified: 0 });
});

test('an unknown call answers in JSON, never with a page', async () => {
  const reply = await visitor.get('/api/nothing-here');
  expect(reply.status()).toBe(404);
  expect(await reply.json()).toEqual({ success: false, error: 'not_found' });
});
