/**
 * What the built site promises to every HTTP client: browsers, crawlers, link previews, proxies.
 *
 * @module-tag gate: It needs the built site.
 */
import { glob, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { flushStats } from '../src/features/operations/public-stats/service.ts';
import { addPerson } from './appwrite-people.ts';
import { ORIGIN, startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
const crawler = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const languages = [
  { prefix: '', tag: 'en', missing: 'Page Not Found' },
  { prefix: '/kz', tag: 'kk', missing: 'Бет табылмады' },
  { prefix: '/ru', tag: 'ru', missing: 'Страница не найдена' },
];
const publicPages = ['/', '/about', '/privacy', '/tutorials', '/components', '/sign-in', '/sign-up'];

const webRoot = resolve(import.meta.dirname, '../../web/build/client');
/** A translation key in place of its text. */
const MISSING_KEY = /\b[a-z]+\.[a-z]\w*\.(title|text|label|hint)\b/;

let cluster: TestCluster;
beforeAll(async () => {
  const engines = { postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') };
  cluster = await startTestCluster({ ...engines, env: { ROLES: 'site,api', WEB_ROOT: webRoot } });
});
afterAll(() => cluster[Symbol.asyncDispose]());

function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(new URL(path, cluster.url), { redirect: 'manual', headers: { 'user-agent': browser, ...headers } });
}

function headersOf({ headers }: Response): Record<string, string> {
  return Object.fromEntries(headers);
}

for (const { prefix, tag, missing } of languages) {
  test(`${tag}: pages are finished HTML in their language, and name the others`, async () => {
    for (const page of publicPages) {
      const path = page === '/' ? prefix || '/' : prefix + page;
      const reply = await get(path);
      const html = await reply.text();
      expect(reply.status, path).toBe(200);
      expect(html, path).toContain(`<html lang="${tag}"`);
      expect(html, path).toContain(`rel="canonical" href="${ORIGIN}${path === '/' ? '/' : path}"`);
      for (const other of languages) expect(html, path).toContain(`hrefLang="${other.tag}"`);
      expect(html, path).toMatch(/<h1\b/);
      expect(html, path).not.toContain('dostar.example');
    }
  });

  test(`${tag}: an unknown path is a real 404 with a page, and a bare one for a crawler`, async () => {
    for (const path of [`${prefix}/nothing-here`, `${prefix}/about/deeper`, `${prefix}/contacts/a/b`]) {
      const reply = await get(path);
      expect(reply.status, path).toBe(404);
      expect(await reply.text(), path).toContain(missing);
      const bare = await get(path, { 'user-agent': crawler });
      expect(bare.status, path).toBe(404);
      expect((await bare.arrayBuffer()).byteLength, path).toBe(0);
    }
    const known = await get(`${prefix}/about`, { 'user-agent': crawler });
    expect((await known.arrayBuffer()).byteLength).toBeGreaterThan(1000);
  });

  test(`${tag}: a chat's address opens the application in its language`, async () => {
    const reply = await get(`${prefix}/contacts/aigerim.1234`);
    expect(reply.status).toBe(200);
    expect(await reply.text()).toContain(`<html lang="${tag}"`);
  });
}

test('every prerendered page has its language, at most one h1 and no missing translation', async () => {
  const files: string[] = [];
  for await (const file of glob('**/index.html', { cwd: webRoot })) files.push(file);
  expect(files.length).toBeGreaterThan(60);
  for (const file of files) {
    const html = await readFile(join(webRoot, file), 'utf8');
    const { tag } =
      languages.find(({ prefix }) => prefix !== '' && file.startsWith(`${prefix.slice(1)}/`)) ?? languages[0]!;
    expect(html, file).toContain(`<html lang="${tag}"`);
    expect(html.match(/<h1\b/g)?.length ?? 0, file).toBeLessThanOrEqual(1);
    const words = html.replaceAll(/<script\b.*?<\/script>|<[^>]*>/gs, ' ');
    expect(MISSING_KEY.exec(words), file).toBeNull();
  }
});

test('every page carries a strict policy of its own, and the headers that keep others out', async () => {
  const policies = new Set<string>();
  for (const path of ['/', '/kz/about', '/ru/tutorials', '/sign-in', '/nothing-here', '/contacts/somebody']) {
    const headers = headersOf(await get(path));
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

test('scripts, styles, fonts and texts are compressed and cached without expiry', async () => {
  const html = await (await get('/kz')).text();
  const assets = [...new Set([...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? ''))];
  expect(assets.length).toBeGreaterThan(5);
  for (const asset of assets) {
    const headers = headersOf(await get(asset, { 'accept-encoding': 'gzip, br' }));
    expect(headers['cache-control'], asset).toBe('public, max-age=31536000, immutable');
    expect(headers['x-content-type-options'], asset).toBe('nosniff');
    const isPacked = Number(headers['content-length']) < 1024 || asset.endsWith('.woff2');
    if (!isPacked) expect(headers['content-encoding'], asset).toBe('br');
  }
});

test('the API reference is a finished page with a policy of its own, beside the documents it is made from', async () => {
  const reply = await get('/docs/api', { 'accept-encoding': 'br' });
  const html = await reply.text();
  expect(reply.status).toBe(200);
  expect(html).toContain('<html lang="en"');
  expect(html).toContain(`rel="canonical" href="${ORIGIN}/docs/api"`);
  expect(html).toContain('/api/messages/send');
  expect(html).toContain('/v1/account/sessions/email');
  // Nothing of the app, and nothing that the policy would block.
  expect(html).not.toMatch(/<script[^>]*\ssrc=|<style|\sstyle=|\son\w+=|dostar\.example/);
  const policy = reply.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy.match(/'sha256-/g)).toHaveLength(html.match(/<script>/g)!.length);
  // Uses the app's font, which a browser may have cached.
  expect((await get(/<link rel="preload" as="font"[^>]* href="([^"]+)"/.exec(html)?.[1] ?? '')).status).toBe(200);
  const [, stylesheet = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(html) ?? [];
  expect((await get(stylesheet)).headers.get('content-type')).toContain('text/css');
  for (const name of ['openapi', 'v1']) {
    const document = await get(`/docs/api/${name}.json`);
    expect(document.headers.get('content-type')).toContain('application/json');
    expect(await document.json()).toMatchObject({ openapi: '3.1.1' });
    const source = resolve(import.meta.dirname, `../../../docs/api/${name}.json`);
    expect(await (await get(`/docs/api/${name}.json`)).json()).toEqual(JSON.parse(await readFile(source, 'utf8')));
  }
  expect((await get('/kz/docs/api')).status).toBe(404);
});

test('an unchanged page is answered with a few bytes', async () => {
  const { etag = '' } = headersOf(await get('/about'));
  const again = await get('/about', { 'if-none-match': etag });
  expect(again.status).toBe(304);
});

test('other spellings of a URL redirect to the canonical one', async () => {
  for (const [from, to] of [
    ['/about/', '/about'],
    ['/kk/about', '/kz/about'],
    ['/en/tutorials', '/tutorials'],
    ['/kz/', '/kz'],
  ]) {
    const reply = await get(from ?? '');
    expect([reply.status, reply.headers.get('location')]).toEqual([308, to]);
  }
});

test('crawlers find the sitemap, phones the icons, previews their picture', async () => {
  expect(await (await get('/robots.txt')).text()).toContain(`Sitemap: ${ORIGIN}/sitemap.xml`);
  const sitemap = await (await get('/sitemap.xml')).text();
  expect(sitemap).toContain(`<loc>${ORIGIN}/kz/about</loc>`);
  expect(sitemap).toContain('hreflang="kk"');
  expect(sitemap).toContain(`<loc>${ORIGIN}/docs/api</loc>`);

  const manifest = (await (await get('/manifest.webmanifest')).json()) as {
    name: string;
    start_url: string;
    icons: { src: string }[];
  };
  expect(manifest).toMatchObject({ name: 'Dostar', start_url: '/contacts' });
  const pictures = manifest.icons.map(({ src }) => src);
  const others = ['/favicon.ico', '/icons/apple-touch-icon.png', '/social/en.png', '/social/kz.png', '/social/ru.png'];
  for (const path of [...pictures, ...others]) {
    const reply = await get(path);
    expect(reply.status, path).toBe(200);
    expect(reply.headers.get('content-type'), path).toMatch(/^image\//);
  }
});

test('the service worker is never cached, and has a strict policy', async () => {
  const headers = headersOf(await get('/service-worker.js'));
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['content-type']).toContain('text/javascript');
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; report-uri /csp-report; frame-ancestors 'none'",
  );
});

test('pages and workers first define the globals that WebKit lacks', async () => {
  const { files } = (await (await get('/manifest.json')).json()) as { files: Record<string, string> };
  const workers = Object.keys(files).filter((file) =>
    /^\/(?:service-worker|assets\/(?:\w+\.worker|service-worker-client)-[\w-]+)\.js$/.test(file),
  );
  expect(workers.length).toBeGreaterThan(4);
  const names = /\bof ?\[['`]dispose['`], ?['`]asyncDispose['`]\]/;
  for (const worker of workers) expect((await (await get(worker)).text()).slice(0, 60), worker).toMatch(names);
  expect(await (await get('/sign-in')).text()).toMatch(names);
});

test('the app is installed in its language, with shortcuts', async () => {
  for (const { prefix, tag } of languages) {
    const reply = await get(`${prefix}/manifest.webmanifest`);
    const manifest = (await reply.json()) as { shortcuts: { url: string }[] };
    expect(manifest).toMatchObject({ id: '/', lang: tag, start_url: `${prefix}/contacts` });
    expect(manifest.shortcuts.map(({ url }) => url)).toContain(`${prefix}/search-contacts`);
  }
});

test('the page of a chat, which is the same for every name, has a title before its scripts run', async () => {
  for (const { prefix } of languages) {
    expect(await (await get(`${prefix}/contacts/aigerim`)).text()).toContain('<title>Dostar</title>');
  }
});

test('the build information is never cached, and the counters are real numbers', async () => {
  const version = await get('/version.json');
  expect(version.headers.get('cache-control')).toBe('no-store');
  expect(await version.text()).toMatch(/^\{"build":"\w+"\}$/);
  const [alice, bob] = await cluster.addFriends();
  await cluster.send(alice, bob, 'hello');
  await addPerson(cluster.url);
  await flushStats(cluster.ctx);
  const stats = await get('/api/stats', { 'x-dostar': '1' });
  expect(await stats.json()).toEqual({ users: 1, messages: 1, verified: 0 });
});

test('an unknown call answers in JSON, never with a page', async () => {
  const reply = await get('/api/nothing-here');
  expect(reply.status).toBe(404);
  expect(await reply.json()).toEqual({ success: false, error: 'not_found' });
});
