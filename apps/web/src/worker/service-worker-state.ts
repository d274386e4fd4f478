/**
 * What the pages store for the service worker, which can read neither localStorage nor the translations. It is in a cache
 * because that needs no database; a sign-out deletes it.
 */
export interface ServiceWorkerState {
  /** The user's language as the first part of paths; empty for English. */
  prefix: string;
  /** Whether notifications name the sender and quote the message. */
  hasWords: boolean;
  /** Whether notifications may make a sound. */
  hasSound: boolean;
  words: { message: string; test: string; reply: string; placeholder: string; read: string };
  /** The key of chats' tags in pushes (SPEC N3), and the address they come to; missing while there is no subscription. */
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

/** The newest shown entry of a chat, by page or worker: the same push once more must not alert (SPEC N4). */
export async function readShown(chat: string): Promise<number> {
  const reply = await caches.match(`/shown/${chat}`, { cacheName: name });
  return Number((await reply?.text()) ?? 0);
}

export async function writeShown(chat: string, at: number): Promise<void> {
  await (await caches.open(name)).put(`/shown/${chat}`, new Response(String(at)));
}
