/** Registers this browser's push subscription with the server, according to the user's choice. For signed-in users. */
import { createPushApi, type PushApi } from '@dostar/client/push';
import { newTagKey } from '@dostar/client/push-tag';
import { startFirebase, type PushTokenGetter } from '../firebase/firebase.ts';
import type { LocaleCode } from '../i18n/locale.ts';
import { codeOf } from '../lib/failure.ts';
import {
  type ServiceWorkerState,
  readServiceWorkerState,
  writeServiceWorkerState,
} from '../../worker/service-worker-state.ts';
import { readLocale } from '../i18n/locale.ts';
import { readSignedInId } from '../messenger/profile-client.ts';
import { registerWorker } from '../pwa/register-worker.ts';
import { readSettings } from '../lib/settings.ts';
import { recordPushToken } from '../session/session-call.ts';
import { readTexts, requestTexts } from '../i18n/texts.ts';

const reregisterAfterMs = 7 * 24 * 60 * 60 * 1000;

/** `off`: the operator has switched push off. `none`: this browser does not support it. */
export type PushState = 'on' | 'off' | 'none' | 'failed';

let pushClient: PushApi | undefined;
let firebase: Promise<PushTokenGetter | undefined> | undefined;

function openPushClient(): PushApi {
  pushClient ??= createPushApi({
    baseUrl: location.origin,
    fetch: (input, init) => fetch(input, init),
    account: readSignedInId,
  });
  return pushClient;
}

/** If Firebase can't be started, for example without a network, the next call tries again. */
function openFirebase(): Promise<PushTokenGetter | undefined> {
  firebase ??= startFirebase(openPushClient()).catch((error: unknown) => {
    firebase = undefined;
    // oxlint-disable-next-line no-console -- For support: nothing else depends on Firebase.
    console.warn('Firebase initialisation failed:', error);
    return undefined;
  });
  return firebase;
}

/** This browser's Firebase token, if the operator has configured Firebase. */
async function getPushToken(options: { isNew: boolean }): Promise<string | undefined> {
  return (await openFirebase())?.(options);
}

/** Stores values for the service worker, which can't read them itself: the user's language and settings. */
export async function updateServiceWorkerState(change: Partial<ServiceWorkerState> = {}): Promise<ServiceWorkerState> {
  await requestTexts('app');
  const code = readLocale(location.pathname);
  const t = readTexts(code).translator('app');
  const { hasWordsInNotices, hasSoundAway } = readSettings();
  const state: ServiceWorkerState = {
    ...(await readServiceWorkerState()),
    prefix: prefixOf(code),
    hasWords: hasWordsInNotices,
    hasSound: hasSoundAway,
    words: {
      message: t('push.message'),
      test: t('push.test'),
      reply: t('push.reply'),
      placeholder: t('push.placeholder'),
      read: t('push.read'),
    },
    ...change,
  };
  await writeServiceWorkerState(state);
  return state;
}

function prefixOf(code: LocaleCode): string {
  return code === 'en' ? '' : `/${code}`;
}

/** Subscribes and registers the subscription, unless the server has it and it was registered within the week. */
export async function subscribePush(): Promise<PushState> {
  const registration = await registerWorker();
  if (registration === undefined || !('pushManager' in registration)) return 'none';
  try {
    const state = await updateServiceWorkerState();
    const key = await openPushClient().getKey();
    if (key === null) return await subscribeByToken(state);
    const subscription = await subscribe(registration.pushManager, key, state.key !== undefined && state.key !== key);
    const { endpoint = '', keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON();
    const isKnown = state.endpoint === endpoint && state.tagKey !== undefined;
    if (isKnown && Date.now() - (state.toldAt ?? 0) < reregisterAfterMs) return 'on';
    const tagKey = isKnown && state.tagKey !== undefined ? state.tagKey : newTagKey();
    const locale = readLocale(location.pathname);
    await openPushClient().put({ endpoint, keys: { p256dh, auth }, tagKey, locale });
    await updateServiceWorkerState({ tagKey, key, endpoint, toldAt: Date.now() });
    return 'on';
  } catch (error) {
    // oxlint-disable-next-line no-console -- For support: why a browser or its push service refused.
    console.warn('Push subscription failed:', error);
    return 'failed';
  }
}

/** Registers a Firebase token if the server has no key of its own; a new token every week. */
async function subscribeByToken({ endpoint, tagKey: known, toldAt = 0 }: ServiceWorkerState): Promise<PushState> {
  const isDue = Date.now() - toldAt >= reregisterAfterMs;
  const token = await getPushToken({ isNew: endpoint !== undefined && isDue });
  if (token === undefined) return 'off';
  if (token === endpoint && !isDue) return 'on';
  const tagKey = known ?? newTagKey();
  if (!(await openPushClient().putToken({ token, tagKey, locale: readLocale(location.pathname) }))) return 'off';
  const account = readSignedInId();
  if (account !== undefined) await recordPushToken(account, token, endpoint);
  await updateServiceWorkerState({ tagKey, endpoint: token, toldAt: Date.now() });
  return 'on';
}

/** Replaces a subscription that was made for a former key of the server. */
async function subscribe(manager: PushManager, key: string, isOther: boolean): Promise<PushSubscription> {
  const known = await manager.getSubscription();
  if (known !== null && !isOther) return known;
  await known?.unsubscribe();
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

async function unsubscribe(): Promise<void> {
  const registration = await registerWorker();
  const subscription = await registration?.pushManager?.getSubscription();
  await subscription?.unsubscribe();
}

export async function unsubscribePush(): Promise<void> {
  await unsubscribe();
  const {
    tagKey: _tagKey,
    key: _key,
    endpoint: _endpoint,
    toldAt: _toldAt,
    ...rest
  } = await updateServiceWorkerState();
  await writeServiceWorkerState(rest);
  await openPushClient().remove();
}

/** Called at every start: keeps the user's choice in force after the browser has changed its push endpoint. */
export async function renewPush(): Promise<void> {
  await openFirebase();
  if (!readSettings().isNotifying || !('Notification' in window) || Notification.permission !== 'granted') return;
  await subscribePush();
}

/** Called after this browser's session got a new device: the server deleted the push target with the old one. */
export async function registerNewDevice(): Promise<void> {
  await forgetRegistration();
  await renewPush();
}

/** Sends a test notification to this device. Registers a new subscription if the server or the push service has none. */
export async function testPush(): Promise<void> {
  try {
    await openPushClient().test();
  } catch (error) {
    if (codeOf(error) !== 'not_found') throw error;
    await unsubscribe();
    await forgetRegistration();
    if ((await subscribePush()) !== 'on') throw error;
    await openPushClient().test();
  }
}

/** Makes the next `subscribePush` register again, even within the week. */
async function forgetRegistration(): Promise<void> {
  const state = await readServiceWorkerState();
  if (state === undefined) return;
  const { toldAt: _toldAt, ...rest } = state;
  await writeServiceWorkerState(rest);
}
