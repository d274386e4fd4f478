/**
 * Caches files with a content hash in their name, previews and profile pictures: after the first time they need no
 * network.
 */
import { pictureCache, previewCache, assetCache } from './names.ts';
import { trimCache } from './trim-cache.ts';

const maxFiles = 200;
const maxPreviews = 300;
/** A contact list has many pictures, of a few KB each. */
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

/** Gets tasks that continue after the response: otherwise the browser may stop an idle worker in the middle. */
type WaitUntil = (task: Promise<void>) => void;

export function fetchFile(request: Request, waitUntil: WaitUntil): Promise<Response> {
  return fetchCached({ name: assetCache, maxEntries: maxFiles, request, waitUntil });
}

/** A preview's address contains the file's id, so a replaced file has another address. */
export function fetchPreview(request: Request, waitUntil: WaitUntil): Promise<Response> {
  return fetchCached({ name: previewCache, maxEntries: maxPreviews, request, waitUntil });
}

/** Ignores `no-store`, which is meant for the HTTP cache. `Expires` says how long the viewer may see the picture. */
export function fetchPicture(request: Request, waitUntil: WaitUntil): Promise<Response> {
  return fetchCached({
    name: pictureCache,
    maxEntries: maxPictures,
    request,
    waitUntil,
    isFresh: ({ headers }) => Date.parse(headers.get('expires') ?? '') > Date.now(),
  });
}

/** Fetches the deferred files. Called once the worker runs, because during the installation it would delay that. */
export async function fetchDeferredFiles(): Promise<void> {
  for (const address of __DEFERRED_FILES__) {
    const cached = new Array<Promise<void>>();
    // After a failure the first use fetches the file.
    await fetchFile(new Request(address), (task) => cached.push(task)).catch(() => undefined);
    await Promise.all(cached);
  }
}

interface CachedFetchOptions {
  name: string;
  maxEntries: number;
  request: Request;
  waitUntil: WaitUntil;
  /** By default a cached file never expires. */
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
  // The page gets the response before it is stored, because a slow disk would delay the whole start.
  if (reply.status === 200) waitUntil(store(cache, maxEntries, request, reply.clone()));
  return reply;
}

/** If the disk is full, the response is still used. */
async function store(cache: Cache, maxEntries: number, request: Request, reply: Response): Promise<void> {
  try {
    await cache.put(request, reply);
    await trimCache(cache, maxEntries);
  } catch {
    // The next request fetches the file again.
  }
}
