/**
 * Stands between the pages of a signed-in person and the network. It has no say in what is written or read: it hands out
 * the program, so that the app opens without a network, and wakes when something is to be told or sent.
 */
import { Serwist } from 'serwist';
import {
  fetchAfterwards,
  fetchFile,
  fetchPicture,
  fetchPreview,
  isKeptFile,
  isPicture,
  isPreview,
} from './keep-files.ts';
import { hearPage } from './hold-key.ts';
import { loadAside } from './load-client.ts';
import { programCache, syncTag } from './names.ts';
import { isLooping, isPage, listOf, openPage, shellOf } from './open-page.ts';
import { pressNotice } from './press-notice.ts';
import { sendWaiting } from './send-waiting.ts';
import { showPush } from './show-push.ts';
import { subscribeAgain } from './subscribe-again.ts';
import { readPageMessage } from './talk.ts';

declare const self: ServiceWorkerGlobalScope;

const serwist = new Serwist({
  precacheEntries: __PRECACHE__,
  precacheOptions: { cacheName: programCache },
  // A new version waits until its owner says so, or the last page of the old one is closed.
  skipWaiting: false,
  clientsClaim: true,
  navigationPreload: true,
  runtimeCaching: [
    {
      matcher: ({ request, url, sameOrigin }) => sameOrigin && request.mode === 'navigate' && isPage(url),
      async handler({ event, request, url }) {
        return openPage(askOnce(event as FetchEvent, request), async () => {
          if (isLooping(url)) return Response.redirect(listOf(url));
          return serwist.matchPrecache(shellOf(url));
        });
      },
    },
    {
      // The way back from Google, say, which is good for one time: left alone, the browser would ask for it again after
      // the preload.
      matcher: ({ request, sameOrigin }) => sameOrigin && request.mode === 'navigate',
      handler: ({ event, request }) => askOnce(event as FetchEvent, request),
    },
    {
      matcher: ({ url, sameOrigin }) => sameOrigin && isKeptFile(url),
      handler: ({ event, request }) => fetchFile(request, (task) => event.waitUntil(task)),
    },
    {
      matcher: ({ url, sameOrigin }) => sameOrigin && isPreview(url),
      handler: ({ event, request }) => fetchPreview(request, (task) => event.waitUntil(task)),
    },
    {
      matcher: ({ url, sameOrigin }) => sameOrigin && isPicture(url),
      handler: ({ event, request }) => fetchPicture(request, (task) => event.waitUntil(task)),
    },
  ],
});

serwist.addEventListeners();

async function askOnce({ preloadResponse }: FetchEvent, request: Request): Promise<Response> {
  return ((await preloadResponse) as Response | undefined) ?? fetch(request);
}

self.addEventListener('install', () => void loadAside());
self.addEventListener('activate', () => void fetchAfterwards());
self.addEventListener('sync', (event) => {
  if (event.tag === syncTag) event.waitUntil(sendWaiting());
});
self.addEventListener('message', (event) => {
  const message = readPageMessage(event.data);
  if (message) event.waitUntil(hearPage(message, event.ports[0]));
});
self.addEventListener('push', (event) => event.waitUntil(showPush(event.data?.text())));
self.addEventListener('notificationclick', (event) => {
  const { notification, action } = event;
  // Written into the notice itself; not in the types yet.
  const { reply = null } = event as { reply?: string | null };
  event.waitUntil(pressNotice(notification, action, reply));
});
self.addEventListener('pushsubscriptionchange', (event) => (event as ExtendableEvent).waitUntil(subscribeAgain()));
