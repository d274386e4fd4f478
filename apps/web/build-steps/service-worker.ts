// Builds the service worker after the pages are rendered: it precaches files by hashes of their content.
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { getManifest } from '@serwist/build';
import { build, type Plugin, type Rolldown } from 'vite';
import { disposePolyfill } from '../src/core/pwa/dispose-polyfill.ts';
import { locales, localisePath } from '../src/core/i18n/locale.ts';
import { shellAddress, workerAddress } from '../src/worker/names.ts';
import { slimZod } from './slim-zod.ts';
import { listFiles } from './list-files.ts';
import { modernBuilds } from './modern-builds.ts';
import { recordWorkerModules } from './record-modules.ts';
import { fallbackFile } from './site-list.ts';
import { textsFolder } from './texts.ts';

/** The modules that the chat list and a chat run at the start; their static imports are added. */
const precachedModules = ['entry.client', 'root', 'members-layout', 'contacts-layout', 'contacts-page', 'chat-page'];

/**
 * The modules that those import dynamically. The bundler may merge one of these into another file, which is added too.
 */
export const precachedLazyModules = [
  'background',
  'session-lifecycle',
  'open-client',
  'watch-new-messages',
  'background-sync',
  'handle-worker-messages',
  'push',
  'alert-center',
  'load-account',
  'auth',
  'profile-client',
  'session-end',
  'app-lock',
  'lock-watch',
  'lock-page',
  'locked-key',
  'contact-dialogs',
  'background-services',
  'notification-prompt',
  'find-links',
  'blurhash',
  'search-bar',
  'selection-bar',
  'upload-row',
  'voice-bar',
  'voice-body',
  'blocked-card',
  'identity-card',
  'pending-card',
  'request-card',
];

/** The catalogues of those pages, in every language, because a person may switch the language without a network. */
const precachedTexts = [
  'app',
  'chat',
  'chats',
  'contacts',
  'lock',
  'person',
  'preferences',
  'recovery',
  'said',
  'shell',
  'ui',
];

/** The engine: needed for writing, but not for reading public pages. */
const engine =
  /^assets\/(?:engine\.worker|search\.worker|stretch\.worker|matrix_sdk_crypto_wasm_bg)-[^/]+\.(?:js|wasm)$/;
/** The other pages: without a network their modules can come only from the cache. */
const pages = /^assets\/[\w-]+-(?:page|layout)-[\w-]{8}\.js$/;

/** Does not match `import("./x.js")`, which is loaded on demand. */
const staticImport = /(?:from|import)\s*["']\.\/([^"']+\.js)["']/g;

export async function writeWorker(folder: string): Promise<void> {
  const found = await listFiles(folder);
  const precached = await listPrecached(folder, found);
  const { manifestEntries = [], size } = await getManifest({
    globDirectory: folder,
    globPatterns: precached,
    // The names contain hashes already.
    dontCacheBustURLsMatching: /^assets\//,
    modifyURLPrefix: { '': '/' },
  });
  const shells = await Promise.all(
    locales.map(async ({ code }) => {
      const shell = await getManifest({ globDirectory: folder, globPatterns: [fallbackFile(code)] });
      return { url: localisePath(code, shellAddress), revision: shell.manifestEntries?.[0]?.revision ?? null };
    }),
  );
  const precache = [...manifestEntries.map(({ url, revision = null }) => ({ url, revision })), ...shells];
  const deferred = await listDeferred(folder, found, precached);
  const code = await bundle('service-worker', {
    __PRECACHE__: precache,
    __DEFERRED_FILES__: deferred,
    __CLIENT_SCRIPT__: await writeClientScript(folder, found),
  });
  await writeFile(join(folder, basename(workerAddress)), code);
  // oxlint-disable-next-line no-console -- Printed by every build, so that a developer notices when it grows.
  console.log(`Service worker: ${precache.length} files precached, ${Math.round(size / 1024)} KB before packing`);
}

async function listPrecached(folder: string, found: string[]): Promise<string[]> {
  const filesOf = (name: string): string[] =>
    found.filter((file) => file.startsWith(`assets/${name}-`) && file.length === name.length + 19);
  const missing = precachedModules.find((name) => filesOf(name).length === 0);
  if (missing !== undefined) throw new Error(`no script of ${missing} to precache`);
  const scripts = [...precachedModules, ...precachedLazyModules].flatMap(filesOf);
  const others = found.filter((file) =>
    /^assets\/(?:manifest-\w+\.js|root-[\w-]+\.css|onest-[\w-]+\.woff2)$/.test(file),
  );
  const texts = locales.flatMap(({ code }) => precachedTexts.map((name) => `${textsFolder()}/${code}/${name}.json`));
  return [...(await addImports(folder, scripts)), ...others, ...texts, 'favicon.svg', 'icons/icon-192.png'];
}

/** Files that are fetched once the worker runs, because fetching them earlier would delay its installation. */
async function listDeferred(folder: string, found: string[], precached: string[]): Promise<string[]> {
  const scripts = await addImports(
    folder,
    found.filter((file) => pages.test(file)),
  );
  const others = found.filter(
    (file) => engine.test(file) || (file.startsWith(textsFolder()) && file.endsWith('.json')),
  );
  return [...others, ...scripts].filter((file) => !precached.includes(file)).map((file) => `/${file}`);
}

async function addImports(folder: string, files: string[]): Promise<Set<string>> {
  const all = new Set<string>();
  async function add(file: string): Promise<void> {
    if (all.has(file)) return;
    all.add(file);
    const code = await readFile(join(folder, file), 'utf8');
    for (const [, name = ''] of code.matchAll(staticImport)) await add(`assets/${name}`);
  }
  for (const file of files) await add(file);
  return all;
}

/** A classic script has no `import.meta.url`; the engine's file has a path from the root. */
const placeScripts: Plugin = {
  name: 'place-scripts',
  enforce: 'post',
  transform: (code) =>
    code.includes('import.meta.url') ? code.replaceAll('import.meta.url', 'self.location.href') : null,
};

/** Bundles one classic script, because a site's worker may not import others at any time. */
async function bundle(name: string, define: Record<string, unknown>): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [placeScripts, slimZod, recordWorkerModules()],
    resolve: { alias: modernBuilds },
    define: {
      'process.env.NODE_ENV': '"production"',
      ...Object.fromEntries(Object.entries(define).map(([key, value]) => [key, JSON.stringify(value)])),
    },
    build: {
      write: false,
      minify: true,
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: join(import.meta.dirname, `../src/worker/${name}.ts`),
        output: { format: 'iife', banner: disposePolyfill },
      },
    },
  });
  const { output } = built as Rolldown.RolldownOutput;
  return output[0].code;
}

/** The engine's file is the one that pages load: equal bytes have an equal name. */
async function writeClientScript(folder: string, found: string[]): Promise<string> {
  const code = await bundle('service-worker-client', {});
  if (code.includes('{}.url')) throw new Error('the service worker would not find the engine');
  for (const [file] of code.matchAll(/assets\/[\w-]+\.wasm/g)) {
    if (!found.includes(file)) throw new Error(`the service worker would look for ${file} in vain`);
  }
  const hash = createHash('sha256').update(code).digest('base64url').slice(0, 8);
  const file = `assets/service-worker-client-${hash}.js`;
  await writeFile(join(folder, file), code);
  return `/${file}`;
}
