/**
 * Values that pages store for the service worker, which can read neither localStorage nor the translations. They are in
 * a cache, because that needs no database; a sign-out deletes it.
 */
export interface ServiceWorkerState {
  /** The path prefix of the user's language; empty for English. */
  prefix: string;
  /** Whether notifications name the sender and quote the message. */
  hasWords: boolean;
  /** Whether notifications may make a sound. */
  hasSound: boolean;
  words: { message: string; test: string; reply: string; placeholder: string; read: string };
  /** The key of chat tags in pushes (SPEC N3), and the push endpoint; missing without a subscription. */
  tagKey?: string;
  /** The server's public key, to which the subscription is bound. */
  key?: string;
  endpoint?: string;
  /** When the subscription was last registered with the server. */
  toldAt?: number;
}

const name = 'memo';
const stateAddress = '/memo';

export async function readServiceWorkerState(): Promise<ServiceWorkerState | undefined> {
  const reply = await caches.match(stateAddress, { cacheName: name });
  return (await reply?.json()) as ServiceWorkerState | undefined;
}

export async function writeServiceWorkerState(state: ServiceWorkerState): Promise<void> {
  await (await caches.open(name)).put(stateAddress, Response.json(state));
}

/** The newest entry of a chat that a page or the worker has shown: a repeated push must not alert again (SPEC N4). */
export async function readShown(chat: string): Promise<number> {
  const reply = await caches.match(`/shown/${chat}`, { cacheName: name });
  return Number((await reply?.text()) ?? 0);
}

export async function writeShown(chat: string, at: number): Promise<void> {
  await (await caches.open(name)).put(`/shown/${chat}`, new Response(String(at)));
}
