import { isInstalled } from '../../core/pwa/install.ts';
import { subscribePush, testPush } from '../../core/notifications/push.ts';
import { productName } from '../../product.ts';
import { appCache, testTag } from '../../worker/names.ts';
import { withNotificationLock } from '../../worker/notification-lock.ts';
import type { Check, Outcome } from './check.ts';
import { passIf, timeoutMs } from './check.ts';

const pollIntervalMs = 200;

function describeWindow(): string {
  return isInstalled() ? 'installed' : 'in a tab';
}

function readPermission(): Outcome {
  const { permission } = Notification;
  if (permission === 'granted') return { state: 'pass', detail: permission };
  return { state: permission === 'default' ? 'ask' : 'fail', detail: permission };
}

export const notificationChecks: readonly Check[] = [
  { id: 'notices', run: () => passIf('Notification' in window, describeWindow()) },
  {
    id: 'permission',
    run: () => readPermission(),
    async press({ sample }) {
      await Notification.requestPermission();
      const answer = readPermission();
      if (answer.state !== 'pass') return answer;
      const notification = new Notification(productName, { body: sample, tag: 'dostar-check' });
      setTimeout(() => notification.close(), 5000);
      return answer;
    },
  },
  { id: 'push', run: () => passIf('PushManager' in window && 'serviceWorker' in navigator) },
  { id: 'background', run: ({ isSignedIn }) => (isSignedIn ? findWorker() : { state: 'signIn' }) },
  {
    id: 'delivery',
    run: ({ isSignedIn }) => (isSignedIn ? { state: 'ask' } : { state: 'signIn' }),
    press: receivePush,
  },
];

/** The service worker is active and has cached the app's files. */
async function findWorker(): Promise<Outcome> {
  const registration = await navigator.serviceWorker.ready;
  const files = await (await caches.open(appCache)).keys();
  return passIf(registration.active !== null && files.length > 0, `${files.length} files`);
}

/** Sends a test notification through the server, the push service and the service worker. */
async function receivePush(): Promise<Outcome> {
  const state = await subscribePush();
  if (state !== 'on') return { state: 'fail', detail: `subscription: ${state}` };
  const registration = await navigator.serviceWorker.ready;
  const list = () => withNotificationLock(() => registration.getNotifications({ tag: testTag }));
  for (const old of await list()) old.close();
  const start = performance.now();
  await testPush();
  // Stops when `settle` has timed out.
  while (performance.now() - start < timeoutMs) {
    const [notification] = await list();
    if (notification !== undefined) return { state: 'pass', durationMs: Math.round(performance.now() - start) };
    await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
  }
  return { state: 'fail', detail: 'no answer' };
}
