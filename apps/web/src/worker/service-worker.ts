/**
 * The service worker of a signed-in user. It serves the app's files, so that the app opens without a network, shows
 * pushes and sends the outbox. API calls of pages pass through unchanged, except for cached previews and pictures.
 */
import { Serwist } from 'serwist';
import {
  fetchDeferredFiles,
  fetchFile,
  fetchPicture,
  fetchPreview,
  isCacheableFile,
  isPicture,
  isPreview,
} from './file-cache.ts';
import { handlePageMessage } from './key-handoff.ts';
import { loadServiceWorkerClient } from './load-service-worker-client.ts';
import { appCache, syncTag } from './names.ts';
import { isReloadLoop, isPage, chatListPathOf, openPage, shellPathOf } from './open-page.ts';
import { handleNotificationClick } from './notification-click.ts';
import { sendOutbox } from './send-outbox.ts';
import { showPush } from './show-push.ts';
import { renewPushSubscription } from './renew-push-subscription.ts';
import { readPageMessage } from './worker-messages.ts';

declare const self: ServiceWorkerGlobalScope;

const serwist = new Serwist({
  precacheEntries: __PRECACHE__,
  precacheOptions: { cacheName: appCache },
  // A new version waits until the user accepts it, or the last page of the old one is closed.
  skipWaiting: false,
  clientsClaim: true,
  navigationPreload: true,
  runtimeCaching: [
    {
      matcher: ({ request, url, sameOrigin }) => sameOrigin && request.mode === 'navigate' && isPage(url),
      async handler({ event, request, url }) {
        return openPage(fetchWithPreload(event as FetchEvent, request), async () => {
          if (isReloadLoop(url)) return Response.redirect(chatListPathOf(url));
          return serwist.matchPrecache(shellPathOf(url));
        });
      },
    },
    {
      // Such as the return from Google, whose address works only once: without this handler the browser would request
      // it again after the preload.
      matcher: ({ request, sameOrigin }) => sameOrigin && request.mode === 'navigate',
      handler: ({ event, request }) => fetchWithPreload(event as FetchEvent, request),
    },
    {
      matcher: ({ url, sameOrigin }) => sameOrigin && isCacheableFile(url),
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

async function fetchWithPreload({ preloadResponse }: FetchEvent, request: Request): Promise<Response> {
  return ((await preloadResponse) as Response | undefined) ?? fetch(request);
}

self.addEventListener('install', () => void loadServiceWorkerClient());
self.addEventListener('activate', () => void fetchDeferredFiles());
self.addEventListener('sync', (event) => {
  if (event.tag === syncTag) event.waitUntil(sendOutbox());
});
self.addEventListener('message', (event) => {
  const message = readPageMessage(event.data);
  if (message) event.waitUntil(handlePageMessage(message, event.ports[0]));
});
self.addEventListener('push', (event) => event.waitUntil(showPush(event.data?.text())));
self.addEventListener('notificationclick', (event) => {
  const { notification, action } = event;
  // The text typed into the notification; TypeScript's types do not include it.
  const { reply = null } = event as { reply?: string | null };
  event.waitUntil(handleNotificationClick(notification, action, reply));
});
self.addEventListener('pushsubscriptionchange', (event) =>
  (event as ExtendableEvent).waitUntil(renewPushSubscription()),
);
