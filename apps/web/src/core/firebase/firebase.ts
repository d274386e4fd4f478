/**
 * Firebase, where the operator has configured it: its token stands in for a push subscription of our own where the server
 * has no key for one, and its analytics are offered to the person (analytics-consent.ts). Left out on iOS and without settings; the service worker and our own pushes need none of it.
 */
import type { PushApi } from '@dostar/client/push';
import { offerAnalytics } from './analytics-consent.ts';
import { isIos } from '../pwa/install.ts';
import { registerWorker } from '../pwa/register-worker.ts';

/** Answers with the token, a new one on request; undefined where the browser, its user or Google gives none. */
export type PushTokenGetter = (options: { isNew: boolean }) => Promise<string | undefined>;

/** The getter of tokens; undefined where the suite is left out. */
export async function startFirebase(pushClient: Pick<PushApi, 'getCloud'>): Promise<PushTokenGetter | undefined> {
  if (isIos()) return undefined;
  const settings = await pushClient.getCloud();
  if (settings === null) {
    // oxlint-disable-next-line no-console -- The specification wants it there, for the operator.
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
  // One worker for a site: what Firebase sends comes to ours.
  const serviceWorkerRegistration = await registerWorker();
  if (serviceWorkerRegistration === undefined) return undefined;

  return async ({ isNew }) => {
    try {
      if (isNew) await deleteToken(messaging);
      return await getToken(messaging, { serviceWorkerRegistration });
    } catch (error) {
      // oxlint-disable-next-line no-console -- What Google or the browser refused, for support.
      console.error('Push token request failed:', error);
      return undefined;
    }
  };
}
