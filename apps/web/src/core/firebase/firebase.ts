/**
 * Firebase, if the operator has configured it. If the server has no key for web push, a Firebase token replaces the
 * push subscription. Firebase's analytics need the person's consent (analytics-consent.ts). Not used on iOS or without
 * settings; the service worker and web push do not need it.
 */
import type { PushApi } from '@dostar/client/push';
import { offerAnalytics } from './analytics-consent.ts';
import { isIos } from '../pwa/install.ts';
import { registerWorker } from '../pwa/register-worker.ts';

/** Returns the token, or a new one if `isNew`; undefined if the browser, its user or Google refuses. */
export type PushTokenGetter = (options: { isNew: boolean }) => Promise<string | undefined>;

/** Returns the getter of tokens; undefined if Firebase is not used. */
export async function startFirebase(pushClient: Pick<PushApi, 'getCloud'>): Promise<PushTokenGetter | undefined> {
  if (isIos()) return undefined;
  const settings = await pushClient.getCloud();
  if (settings === null) {
    // oxlint-disable-next-line no-console -- The specification prescribes it, for the operator.
    console.warn('[Firebase] Missing API key');
    return undefined;
  }
  offerAnalytics(settings.measurementId);
  const [{ initializeApp }, { deleteToken, getMessaging, getToken, isSupported }] = await Promise.all([
    import('@firebase/app'),
    import('@firebase/messaging'),
  ]);
  if (!(await isSupported())) return undefined;
  const messaging = getMessaging(initializeApp(settings));
  // A site has one worker, so Firebase's pushes arrive in ours.
  const serviceWorkerRegistration = await registerWorker();
  if (serviceWorkerRegistration === undefined) return undefined;

  return async ({ isNew }) => {
    try {
      if (isNew) await deleteToken(messaging);
      return await getToken(messaging, { serviceWorkerRegistration });
    } catch (error) {
      // oxlint-disable-next-line no-console -- For support: why Google or the browser refused.
      console.error('Push token request failed:', error);
      return undefined;
    }
  };
}
