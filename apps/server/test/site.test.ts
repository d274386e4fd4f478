import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { buildSite, CSP, GOOGLE, PLACEHOLDER, SCRIPT } from './build-site.ts';
import { startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

const ORIGIN = 'https://family.example';
const CRAWLER = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

let root: string;
let cluster: TestCluster;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'dostar-site-'));
  await buildSite(root);
  cluster = await startTestCluster({
    postgresUrl: inject('postgresUrl'),
    natsUrl: inject('natsUrl'),
    env: { WEB_ROOT: root, ORIGIN },
  });
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await rm(root, { recursive: true });
});

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Returns the raw bytes: `fetch` would decompress them and normalize the URL. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  const { hostname, port } = new URL(cluster.url);
  return new Promise((resolve, reject) => {
    const asking = request({ hostname, port, path, method, headers }, (reply) => {
      const parts: Buffer[] = [];
      reply.on('data', (part: Buffer) => parts.push(part));
      reply.on('end', () =>
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: Buffer.concat(parts) }),
      );
    });
    asking.on('error', reject);
    asking.end();
  });
}

function report(body: string): Promise<Response> {
  return fetch(new URL('/csp-report', cluster.url), {
    method: 'POST',
    headers: { 'content-type': 'application/csp-report' },
    body,
  });
}

describe('pages', () => {
  test('carry their own policy, the common headers and a year of https', async () => {
    const { status, headers } = await get('/about');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `${CSP}; upgrade-insecure-requests`,
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      vary: 'accept-encoding',
    });
    expect(headers['strict-transport-security']).toMatch(/max-age=(\d{8,}).*includeSubDomains/);
  });

  test("contain the operator's address instead of the placeholder, however they are compressed", async () => {
    const plain = await get('/about');
    const brotli = await get('/about', { 'accept-encoding': 'gzip, deflate, br' });
    const gzip = await get('/about', { 'accept-encoding': 'gzip' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(brotli.headers['content-encoding']).toBe('br');
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(plain.body.toString()).toContain(`${ORIGIN}/x`);
    expect(plain.body.toString()).not.toContain(PLACEHOLDER);
    expect(brotliDecompressSync(brotli.body)).toEqual(plain.body);
    expect(gunzipSync(gzip.body)).toEqual(plain.body);
    expect(new Set([plain, brotli, gzip].map(({ headers }) => headers.etag)).size).toBe(3);
    expect((await get('/robots.txt')).body.toString()).toBe(`Sitemap: ${ORIGIN}/sitemap.xml\n`);
  });

  test('say that Google sign-in is missing if the operator has not configured it', async () => {
    expect((await get('/about')).body.toString()).toContain(`<html lang="en" ${GOOGLE.off}>`);
    const google = {
      GOOGLE_ISSUER: 'http://127.0.0.1:9',
      GOOGLE_CLIENT_ID: 'family',
      GOOGLE_CLIENT_SECRET: 'known to both',
    };
    await using other = await startTestCluster({
      postgresUrl: inject('postgresUrl'),
      natsUrl: inject('natsUrl'),
      env: { WEB_ROOT: root, ORIGIN, ...google },
    });
    const reply = await fetch(`${other.url}/about`);
    expect(await reply.text()).toContain(`<html lang="en" ${GOOGLE.on}>`);
  });

  test('that the client has cached are not sent again', async () => {
    const { headers } = await get('/about', { 'accept-encoding': 'br' });
    const again = await get('/about', { 'accept-encoding': 'br', 'if-none-match': `W/"old", ${headers.etag}` });
    expect([again.status, again.body.length]).toEqual([304, 0]);
  });

  test('of a chat, whose address is unknown at build time, are the shell of their language', async () => {
    expect((await get('/contacts/aigerim')).body.toString()).toContain('<html lang="en"');
    expect((await get('/kz/contacts/aigerim')).body.toString()).toContain('<html lang="kk"');
    expect((await get('/contacts/aigerim/photos')).status).toBe(404);
    expect((await get('/contacts/')).headers.location).toBe('/contacts');
  });

  test('answer HEAD requests', async () => {
    const { status, body, headers } = await get('/about', {}, 'HEAD');
    expect([status, body.length]).toEqual([200, 0]);
    expect(headers['content-security-policy']).toContain(CSP);
  });
});

describe('an address', () => {
  test.each([
    ['/about/', '/about'],
    ['/kz/', '/kz'],
    ['/kk/about', '/kz/about'],
    ['/en', '/'],
    ['/en/about?x=1', '/about?x=1'],
    ['//elsewhere.example/about/', '/elsewhere.example/about'],
  ])('%s leads to its one spelling, %s', async (path, to) => {
    const { status, headers } = await get(path);
    expect([status, headers.location]).toEqual([308, to]);
  });

  test.each([
    ['/nothing', 'Page Not Found'],
    ['/kz/nothing', 'Бет табылмады'],
    ['/kzx', 'Page Not Found'],
    ['/404', 'Page Not Found'],
    ['/secret.txt', 'Page Not Found'],
    ['/../server/package.json', 'Page Not Found'],
    ['/__proto__', 'Page Not Found'],
    ['/site.json', 'Page Not Found'],
  ])('%s that does not exist is a real 404 in its language', async (path, text) => {
    const { status, body, headers } = await get(path, { 'user-agent': 'Mozilla/5.0 Firefox/153.0' });
    expect(status).toBe(404);
    expect(body.toString()).toContain(text);
    expect(headers['content-security-policy']).toContain(CSP);
  });

  test('that does not exist is a bare status for a crawler, which still reads real pages', async () => {
    const missing = await get('/kz/nothing', { 'user-agent': CRAWLER });
    expect([missing.status, missing.body.length]).toEqual([404, 0]);
    expect((await get('/kz/about', { 'user-agent': CRAWLER })).body.toString()).toContain('жоба туралы');
  });

  test('of an API never returns a page', async () => {
    const { status, headers, body } = await get('/api/nothing');
    expect(status).toBe(404);
    expect(headers['content-type']).toContain('application/json');
    expect(JSON.parse(body.toString())).toEqual({ success: false, error: 'not_found' });
  });
});

describe('files', () => {
  test('whose name contains their hash are cached without expiry and sent as the build compressed them', async () => {
    const { headers, body } = await get('/assets/x.js', { 'accept-encoding': 'br;q=1.0, gzip;q=0.5' });
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(body).toEqual(brotliCompressSync(SCRIPT));
    const refused = await get('/assets/x.js', { 'accept-encoding': 'br;q=0, gzip' });
    expect(refused.headers['content-encoding']).toBe('gzip');
  });

  test('with the current build are never cached', async () => {
    expect((await get('/version.json')).headers['cache-control']).toBe('no-store');
  });
});

test('a browser may report policy violations; an invalid report does no harm', async () => {
  const good = { 'csp-report': { 'effective-directive': 'script-src', 'blocked-uri': 'https://bad.example/x?name=a' } };
  expect((await report(JSON.stringify(good))).status).toBe(204);
  expect((await report('[]')).status).toBe(204);
  expect((await report('x'.repeat(20_000))).status).toBe(413);
});
