/** Files whose name is a hash of their content, previews and pictures of profiles: once fetched they need no network. */
import { pictureCache, previewCache, assetCache } from './names.ts';
import { trimCache } from './trim-cache.ts';

const maxFiles = 200;
const maxPreviews = 300;
/** A list of friends has many, of a few KB each. */
const maxPictures = 500;

const hashedPath = /^\/assets\//;
const previewPath = /^\/v1\/storage\/buckets\/[^/]+\/files\/[^/]+\/preview$/;

export function isCacheableFile(url: URL): boolean {
  return hashedPath.test(url.pathname);
}

export function isPreview(url: URL): boolean {
  return previewPath.test(url.pathname);
}

export function isPicture(url: URL): boolean {
  return url.pathname === '/api/profile/picture';
}

/** Receives what continues after the answer: an idle worker may be stopped in the middle. */
type WaitUntil = (task: Promise<void>) => void;

export function fetchFile(request: Request, waitUntil: WaitUntil): Promise<Response> {
  return fetchCached({ name: assetCache, maxEntries: maxFiles, request, waitUntil });
}

/** A preview of a file that is replaced has another address: it names the file. */
export function fetchPreview(request: Request, waitUntil: WaitUntil): Promise<Response> {
  return fetchCached({ name: previewCache, maxEntries: maxPreviews, request, waitUntil });
}

/** Its `no-store` is for the HTTP cache. `Expires` says how long its viewer may see it. */
export function fetchPicture(request: Request, waitUntil: WaitUntil): Promise<Response> {
  return fetchCached({
    name: pictureCache,
    maxEntries: maxPictures,
    request,
    waitUntil,
    isFresh: ({ headers }) => Date.parse(headers.get('expires') ?? '') > Date.now(),
  });
}

/** What all writing users need, once the worker runs: while it is installed it would only delay that. */
export async function fetchDeferredFiles(): Promise<void> {
  for (const address of __DEFERRED_FILES__) {
    const cached = new Array<Promise<void>>();
    // Without a network the first use fetches it.
    await fetchFile(new Request(address), (task) => cached.push(task)).catch(() => undefined);
    await Promise.all(cached);
  }
}

interface CachedFetchOptions {
  name: string;
  maxEntries: number;
  request: Request;
  waitUntil: WaitUntil;
  /** Without it a file is never fetched again. */
  isFresh?: (cached: Response) => boolean;
}

async function fetchCached({
  name,
  maxEntries,
  request,
  waitUntil,
  isFresh = () => true,
}: CachedFetchOptions): Promise<Response> {
  const cache = await caches.open(name);
  const cached = await cache.match(request);
  if (cached !== undefined && isFresh(cached)) return cached;
  const reply = await fetch(request);
  // The page has its answer before the disk has it: a slow disk would hold up the whole start.
  if (reply.status === 200) waitUntil(store(cache, maxEntries, request, reply.clone()));
  return reply;
}

/** A full disk must not take away what has just been fetched. */
async function store(cache: Cache, maxEntries: number, request: Request, reply: Response): Promise<void> {
  try {
    await cache.put(request, reply);
    await trimCache(cache, maxEntries);
  } catch {
    // Fetched again the next time.
  }
}
