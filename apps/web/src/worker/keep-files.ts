/** Files whose name is a hash of their content, previews and pictures of profiles: once fetched they need no network. */
import { pictureCache, previewCache, usedCache } from './names.ts';
import { trimCache } from './trim-cache.ts';

const mostFiles = 200;
const mostPreviews = 300;
/** A list of friends has many, of a few KB each. */
const mostPictures = 500;

const hashed = /^\/assets\//;
const preview = /^\/v1\/storage\/buckets\/[^/]+\/files\/[^/]+\/preview$/;

export function isKeptFile(url: URL): boolean {
  return hashed.test(url.pathname);
}

export function isPreview(url: URL): boolean {
  return preview.test(url.pathname);
}

export function isPicture(url: URL): boolean {
  return url.pathname === '/api/profile/picture';
}

/** Told of what goes on after the answer: a worker that nobody waits for may be stopped in the middle. */
type Wait = (task: Promise<void>) => void;

export function fetchFile(request: Request, wait: Wait): Promise<Response> {
  return fetchOnce({ name: usedCache, most: mostFiles, request, wait });
}

/** A preview of a file that is replaced has another address: it names the file. */
export function fetchPreview(request: Request, wait: Wait): Promise<Response> {
  return fetchOnce({ name: previewCache, most: mostPreviews, request, wait });
}

/** Its `no-store` is for the HTTP cache. `Expires` says how long its viewer may see it. */
export function fetchPicture(request: Request, wait: Wait): Promise<Response> {
  return fetchOnce({
    name: pictureCache,
    most: mostPictures,
    request,
    wait,
    isFresh: ({ headers }) => Date.parse(headers.get('expires') ?? '') > Date.now(),
  });
}

/** What everybody who writes needs, once the worker runs: while it is installed it would only be in the way. */
export async function fetchAfterwards(): Promise<void> {
  for (const address of __AFTERWARDS__) {
    const kept = new Array<Promise<void>>();
    // Without a network the first use fetches it.
    await fetchFile(new Request(address), (task) => kept.push(task)).catch(() => undefined);
    await Promise.all(kept);
  }
}

interface Once {
  name: string;
  most: number;
  request: Request;
  wait: Wait;
  /** Without it a file is never fetched again. */
  isFresh?: (kept: Response) => boolean;
}

async function fetchOnce({ name, most, request, wait, isFresh = () => true }: Once): Promise<Response> {
  const cache = await caches.open(name);
  const kept = await cache.match(request);
  if (kept !== undefined && isFresh(kept)) return kept;
  const reply = await fetch(request);
  // The page has its answer before the disk has it: a slow disk would hold up the whole start.
  if (reply.status === 200) wait(keep(cache, most, request, reply.clone()));
  return reply;
}

/** A full disk must not take away what has just been fetched. */
async function keep(cache: Cache, most: number, request: Request, reply: Response): Promise<void> {
  try {
    await cache.put(request, reply);
    await trimCache(cache, most);
  } catch {
    // Fetched again the next time.
  }
}
