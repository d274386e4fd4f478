import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { shrinkRouteManifest } from './shrink-route-manifest.ts';

const flags = { hasLoader: false, hasDefaultExport: true };

function makeManifest(languages: number) {
  const routes: Record<string, object> = {
    root: { id: 'root', path: '', ...flags, module: '/assets/root.js', imports: ['/assets/base.js'], css: ['/a.css'] },
  };
  for (let language = 0; language < languages; language += 1) {
    for (let page = 0; page < 40; page += 1) {
      const id = `${language}:${page}`;
      const imports = Array.from({ length: 12 }, (_, file) => `/assets/file-${(page * 7 + file) % 60}-a8Xq.js`);
      routes[id] = { id, parentId: 'root', index: true, ...flags, module: `/assets/${page}.js`, imports, css: [] };
    }
  }
  return { entry: { module: '/assets/entry.js', imports: [], css: [] }, routes, url: '/assets/m.js', version: 'm' };
}

function read(script: string): unknown {
  const window: Record<string, unknown> = {};
  runInNewContext(script, { window });
  return JSON.parse(JSON.stringify(window['__reactRouterManifest']));
}

test('encodes the same manifest in far fewer characters', () => {
  const manifest = makeManifest(3);
  const script = `window.__reactRouterManifest=${JSON.stringify(manifest)};`;
  const shrunk = shrinkRouteManifest(script);
  expect(read(shrunk)).toEqual(manifest);
  expect(shrunk.length).toBeLessThan(script.length / 4);
});

test('a manifest of another shape is an error', () => {
  expect(() => shrinkRouteManifest('self.manifest={}')).toThrow('not where it was');
});
