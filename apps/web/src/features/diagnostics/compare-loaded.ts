/**
 * Are the files that this browser loaded the ones on the list? They are asked for once more, out of the browser's own
 * store where they lie there, so that what is compared is what was run and not what the server would say now.
 *
 * The list and this check come from the same server: together they find a file that was changed on the way or on a
 * disk. A server that lies consistently is found by comparing the mark on /about with the published one.
 */
import { hashBytes, type IntegrityManifest } from '../../core/pwa/integrity-manifest.ts';

interface Loaded {
  /** Of the document itself. */
  page: string;
  files: string[];
}

export interface Comparison {
  compared: number;
  /** Addresses whose bytes differ, or that no list knows. */
  unexpected: string[];
}

const isProgram = /^\/assets\/|\.(?:js|wasm|css)$/;
const ownAddress = /rel="canonical" href="(https?:\/\/[^/"]+)/;

/** Everything that the page, its style or its service worker brought here; other sites may not bring anything. */
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

/** A page that has no address of its own, such as a chat's, is one of the shells. */
async function isKnownPage({ pages, placeholder, google }: IntegrityManifest, path: string): Promise<boolean> {
  const reply = await fetch(path, { cache: 'force-cache' });
  const text = await reply.text();
  const origin = ownAddress.exec(text)?.[1] ?? window.location.origin;
  const asBuilt = text.replaceAll(origin, placeholder).replace(google.off, google.on);
  const hash = await hashBytes(new TextEncoder().encode(asBuilt));
  return pages[path] === undefined ? Object.values(pages).includes(hash) : pages[path] === hash;
}
