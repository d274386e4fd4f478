import { afterEach, describe, expect, it, vi } from 'vitest';
import { hashBytes, type IntegrityManifest } from '../../core/pwa/integrity-manifest.ts';
import { compareLoaded } from './compare-loaded.ts';

const placeholder = 'https://dostar.example';
const origin = 'https://family.example';
const script = 'export const x = 1;';
const google = { on: 'data-google="on"', off: 'data-google="off"' };
const page = (address: string, mark = google.on) =>
  `<html ${mark}><link rel="canonical" href="${address}/about"/><img src="${address}/a.png">`;
const shell = '<html lang="en"></html>';

function hash(text: string): Promise<string> {
  return hashBytes(new TextEncoder().encode(text));
}

/** Stubs `fetch` with a server that returns these texts. */
function serve(texts: Record<string, string>): void {
  vi.stubGlobal('fetch', async (path: string) => new Response(texts[path]));
}

async function makeList(): Promise<IntegrityManifest> {
  return {
    build: 'abc',
    placeholder,
    google,
    files: { '/assets/x.js': await hash(script) },
    pages: { '/about': await hash(page(placeholder)), '/__shell-en.html': await hash(shell) },
  };
}

afterEach(() => vi.unstubAllGlobals());

describe('comparing the loaded files', () => {
  it("accepts the listed files with the operator's address in the pages", async () => {
    serve({ '/assets/x.js': script, '/about': page(origin) });
    const found = await compareLoaded(await makeList(), { page: '/about', files: ['/assets/x.js'] });
    expect(found).toEqual({ compared: 2, unexpected: [] });
  });

  it('accepts the pages of an operator without Google', async () => {
    serve({ '/about': page(origin, google.off) });
    expect((await compareLoaded(await makeList(), { page: '/about', files: [] })).unexpected).toEqual([]);
  });

  it('detects one changed byte in a script or a page', async () => {
    serve({ '/assets/x.js': script.replace('1', '2'), '/about': page(origin) });
    const list = await makeList();
    const loaded = { page: '/about', files: ['/assets/x.js'] };
    expect((await compareLoaded(list, loaded)).unexpected).toEqual(['/assets/x.js']);
    serve({ '/assets/x.js': script, '/about': page(origin).replace('img', 'ing') });
    expect((await compareLoaded(list, loaded)).unexpected).toEqual(['/about']);
  });

  it('rejects a file that is not on the list', async () => {
    serve({ '/assets/more.js': 'steal()', '/about': page(origin) });
    const found = await compareLoaded(await makeList(), { page: '/about', files: ['/assets/more.js'] });
    expect(found.unexpected).toEqual(['/assets/more.js']);
  });

  it('accepts only a shell at the address of a chat', async () => {
    const list = await makeList();
    serve({ '/contacts/aigerim.1234': shell });
    expect((await compareLoaded(list, { page: '/contacts/aigerim.1234', files: [] })).unexpected).toEqual([]);
    serve({ '/contacts/aigerim.1234': shell.replace('en', 'ru') });
    expect((await compareLoaded(list, { page: '/contacts/aigerim.1234', files: [] })).unexpected).toHaveLength(1);
  });
});
