// @vitest-environment node
/**
 * Checks the modules of the built site: nothing of the tests, and no way to send a message without encrypting it.
 *
 * @module-tag gate: It needs the built site.
 */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { findForbiddenModules, hasOtherSendPath } from './check-modules.ts';
import { listFiles } from './list-files.ts';
import { type ModuleRecord, modulesFolder } from './record-modules.ts';

const repoRoot = join(import.meta.dirname, '../../..');
const site = join(import.meta.dirname, '../build/client');
const inSite = ['apps/web', 'packages/client', 'packages/protocol'];
const besideSite = ['.', 'apps/server', 'e2e', 'proofs', 'tools'];
/** Development packages with modules in the site: the framework's start-up file, and names of emoji. */
const BUILD_PACKAGES = new Set(['@react-router/dev', 'emojibase-data']);

let records: Map<string, ModuleRecord>;
beforeAll(async () => {
  records = new Map();
  for (const file of await readdir(modulesFolder)) {
    const record = JSON.parse(await readFile(join(modulesFolder, file), 'utf8')) as ModuleRecord;
    records.set(basename(file, '.json'), record);
  }
});

async function readManifest(folder: string): Promise<Record<string, Record<string, string> | undefined>> {
  return JSON.parse(await readFile(join(repoRoot, folder, 'package.json'), 'utf8')) as never;
}

/** Packages that only tests and tools depend on. */
async function listTestPackages(): Promise<Set<string>> {
  const shipped = await Promise.all(inSite.map(readManifest));
  const others = await Promise.all(besideSite.map(readManifest));
  const production = new Set(shipped.flatMap(({ dependencies }) => Object.keys(dependencies ?? {})));
  const all = [...shipped, ...others].flatMap(({ devDependencies }) => Object.keys(devDependencies ?? {}));
  return new Set(all.filter((name) => !production.has(name) && !BUILD_PACKAGES.has(name)));
}

/** The service worker's two scripts are renamed after they are bundled, so the lists have their former names. */
function modulesOf(file: string): string[] | undefined {
  const inPages = records.get('pages')?.scripts[file];
  if (inPages !== undefined) return inPages;
  const entry = basename(file).replace(/(?:-[\w-]{8})?\.js$/, '');
  const record = records.get(entry);
  return record && Object.values(record.scripts).flat();
}

async function listScripts(): Promise<string[]> {
  const isScript = /\.js$/;
  // React Router's route manifest is data.
  const isRouteList = /^assets\/manifest-\w+\.js$/;
  return (await listFiles(site)).filter((file) => isScript.test(file) && !isRouteList.test(file));
}

test('every script of the site has a list of its modules, and the site does not ship the lists', async () => {
  const scripts = await listScripts();
  expect(scripts.length).toBeGreaterThan(100);
  expect(scripts.filter((file) => modulesOf(file) === undefined)).toEqual([]);
  expect(existsSync(join(site, 'modules'))).toBe(false);
});

test('no module comes from tests, test packages or tools, and only encrypted messages can be sent', async () => {
  const testPackages = await listTestPackages();
  expect(testPackages).toContain('vitest');
  expect(testPackages).toContain('fast-check');
  expect([...records.values()].flatMap((record) => findForbiddenModules(record, testPackages))).toEqual([]);
});

test('only the endpoint’s contract contains the path of the send endpoint', async () => {
  const found: string[] = [];
  let senders = 0;
  for (const file of await listScripts()) {
    const code = await readFile(join(site, file), 'utf8');
    if (code.includes('/api/messages/send')) senders += 1;
    if (hasOtherSendPath(code, modulesOf(file) ?? [])) found.push(file);
  }
  expect(found).toEqual([]);
  // One of the page, one of the service worker.
  expect(senders).toBe(2);
});
