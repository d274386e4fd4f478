import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listFiles } from './list-files.ts';
import { writeIntegrityManifest } from './integrity-manifest.ts';

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

test('the manifest hashes every script, style, text and page, and no file that only crawlers read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dostar-list-'));
  const files = {
    'assets/x-abcdefgh.js': 'run()',
    'assets/texts-1/kz/about.json': '{}',
    'service-worker.js': 'wake()',
    'index.html': 'home',
    'kz/about/index.html': 'жоба туралы',
    '__shell-en.html': 'shell',
    'robots.txt': 'Disallow: /api/',
    'version.json': '{"build":"abc"}',
  };
  try {
    for (const path of ['assets/texts-1/kz', 'kz/about']) await mkdir(join(folder, path), { recursive: true });
    for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
    const list = JSON.parse(await writeIntegrityManifest(folder, await listFiles(folder), 'abc')) as unknown;
    expect(list).toEqual({
      build: 'abc',
      placeholder: 'https://dostar.example',
      google: { on: 'data-google="on"', off: 'data-google="off"' },
      files: {
        '/assets/texts-1/kz/about.json': hash('{}'),
        '/assets/x-abcdefgh.js': hash('run()'),
        '/service-worker.js': hash('wake()'),
      },
      pages: { '/': hash('home'), '/kz/about': hash('жоба туралы'), '/__shell-en.html': hash('shell') },
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
