/**
 * Compares the files that this browser loaded with the manifest. Fetches them again, from the browser's cache where
 * possible, so that the check covers the code that actually ran.
 *
 * Manifest and check come from the same server, so they only detect a file that changed in transit or on a disk. To
 * detect a malicious server, compare the fingerprint on /about with the published one.
 */
import { hashBytes, type IntegrityManifest } from '../../core/pwa/integrity-manifest.ts';

interface Loaded {
  /** Path of the document. */
  page: string;
  files: string[];
}

export interface Comparison {
  compared: number;
  /** Paths with a different hash, or missing from the manifest. */
  unexpected: string[];
}

const isProgram = /^\/assets\/|\.(?:js|wasm|css)$/;
const ownAddress = /rel="canonical" href="(https?:\/\/[^/"]+)/;

/** Paths of the loaded files of this origin. The Content Security Policy forbids code from other origins. */
export function listLoaded(): Loaded {
  const [navigation] = performance.getEntriesByType('navigation');
  const marked = [...document.querySelectorAll<HTMLScriptElement | HTMLLinkElement>('script[src], link[href]')];
  const addresses = [
    ...performance.getEntriesByType('resource').map(({ name }) => name),
    ...marked.map((element) => ('src' in element ? element.src : element.href)),
    navigator.serviceWorker?.controller?.scriptURL ?? '',
  ];
  const own = addresses
    .filter((address) => URL.canParse(address))
    .map((address) => new URL(address))
    .filter(({ origin }) => origin === window.location.origin);
  const files = new Set(own.map(({ pathname }) => pathname).filter((path) => isProgram.test(path)));
  return { page: new URL(navigation?.name ?? window.location.href).pathname, files: [...files].toSorted() };
}

export async function compareLoaded(list: IntegrityManifest, { page, files }: Loaded): Promise<Comparison> {
  const results = await Promise.all([
    ...files.map(async (path) => [path, (await hashFile(path)) === list.files[path]] as const),
    isKnownPage(list, page).then((isKnown) => [page, isKnown] as const),
  ]);
  return { compared: results.length, unexpected: results.filter(([, isSame]) => !isSame).map(([path]) => path) };
}

async function hashFile(path: string): Promise<string> {
  const reply = await fetch(path, { cache: 'force-cache' });
  return hashBytes(await reply.arrayBuffer());
}

/** A path without its own page, such as a chat, must return one of the listed shell pages. */
async function isKnownPage({ pages, placeholder, google }: IntegrityManifest, path: string): Promise<boolean> {
  const reply = await fetch(path, { cache: 'force-cache' });
  const text = await reply.text();
  const origin = ownAddress.exec(text)?.[1] ?? window.location.origin;
  const asBuilt = text.replaceAll(origin, placeholder).replace(google.off, google.on);
  const hash = await hashBytes(new TextEncoder().encode(asBuilt));
  return pages[path] === undefined ? Object.values(pages).includes(hash) : pages[path] === hash;
}
