// Runs after the pages are rendered: turns the build folder into a site that any static file server can serve, and
// writes the list from which our site role serves it.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { locales, localisePath } from '../src/core/i18n/locale.ts';
import { manifestAddress } from '../src/core/lib/paths.ts';
import { integrityManifestAddress } from '../src/core/pwa/integrity-manifest.ts';
import { googleMark } from '../src/product.ts';
import { writeReference } from './api-reference/write-reference.ts';
import { writeCdnHeaders } from './cdn-headers.ts';
import { writeRobots, writeSitemap, writeWebManifest } from './discovery.ts';
import { lowerScriptPriority } from './lower-script-priority.ts';
import { listFiles } from './list-files.ts';
import { siteHeaders } from './content-security-policy.ts';
import { writeIntegrityManifest } from './integrity-manifest.ts';
import { shrinkRouteManifest } from './shrink-route-manifest.ts';
import {
  addressOf,
  fallbackFile,
  listFile,
  listLocales,
  listPage,
  placeholder,
  shellPaths,
  type SiteManifest,
} from './site-list.ts';
import { writeTextCatalogues } from './texts.ts';
import { writeWorker } from './service-worker.ts';

const shellFile = '__spa-fallback.html';
const listName = 'site.json';

/** React Router renders one shell, in English; each language gets a copy with its own `lang`. */
async function writeShells(folder: string): Promise<void> {
  const html = await readFile(join(folder, shellFile), 'utf8');
  for (const { code, tag } of locales) {
    await writeFile(join(folder, fallbackFile(code)), html.replace('<html lang="en"', `<html lang="${tag}"`));
  }
}

async function lowerPageScriptPriority(folder: string): Promise<void> {
  for (const file of await listFiles(folder)) {
    if (!file.endsWith('.html')) continue;
    const html = await readFile(join(folder, file), 'utf8');
    await writeFile(join(folder, file), lowerScriptPriority(html));
  }
}

async function shrinkRouteManifestFile(folder: string): Promise<void> {
  const file = (await listFiles(folder)).find((name) => /^assets\/manifest-\w+\.js$/.test(name));
  if (file === undefined) throw new Error('no manifest of routes');
  await writeFile(join(folder, file), shrinkRouteManifest(await readFile(join(folder, file), 'utf8')));
}

export async function postprocessSite(folder: string, build: string, brotliQuality: number): Promise<void> {
  await writeTextCatalogues(folder);
  await lowerPageScriptPriority(folder);
  await shrinkRouteManifestFile(folder);
  await writeShells(folder);
  await writeReference(folder, placeholder);
  await writeWorker(folder);
  await writeFile(join(folder, 'version.json'), JSON.stringify({ build }));
  await writeFile(join(folder, 'sitemap.xml'), writeSitemap(placeholder));
  await writeFile(join(folder, 'robots.txt'), writeRobots(placeholder));
  for (const locale of locales) {
    await writeFile(join(folder, localisePath(locale.code, manifestAddress)), writeWebManifest(locale));
  }

  // Written last, because it lists the other files.
  await writeFile(
    join(folder, integrityManifestAddress),
    await writeIntegrityManifest(folder, await listFiles(folder), build),
  );

  const found = await listFiles(folder);
  const list: SiteManifest = {
    build,
    placeholder,
    google: googleMark,
    headers: siteHeaders,
    locales: await listLocales(folder, brotliQuality),
    shellPaths,
    pages: {},
    files: {},
  };
  for (const file of found) {
    // Shells have no path of their own.
    if (file.startsWith('__')) continue;
    if (file.endsWith('.html')) list.pages[addressOf(file)] = await listPage(folder, file, brotliQuality);
    else list.files[`/${file}`] = await listFile(folder, file, brotliQuality);
  }
  await writeFile(join(folder, '_headers'), writeCdnHeaders(list));
  // Written to a temporary file and renamed: a server that starts during a build reads the old list or the new one.
  await writeFile(join(folder, `${listName}.part`), JSON.stringify(list));
  await rename(join(folder, `${listName}.part`), join(folder, listName));
}
