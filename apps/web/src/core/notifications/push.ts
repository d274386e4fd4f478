/** This browser's push subscription, from the person's wish to the server's list. Loaded by those who are signed in. */
import { createPushApi, type PushApi } from '@dostar/client/push';
import { newTagKey } from '@dostar/client/push-tag';
import { startCloud, type TokenGetter } from '../firebase/firebase.ts';
import type { LocaleCode } from '../i18n/locale.ts';
import { type Memo, readMemo, writeMemo } from '../../worker/service-worker-state.ts';
import { readLocale } from '../i18n/locale.ts';
import { readOwner } from '../messenger/profile-client.ts';
import { registerWorker } from '../pwa/register-worker.ts';
import { readSettings } from '../lib/settings.ts';
import { noteToken } from '../session/session-call.ts';
import { readTexts, wantTexts } from '../i18n/texts.ts';

const tellAgainAfter = 7 * 24 * 60 * 60 * 1000;

/** `off`: the operator sends none. `none`: this browser can't. */
export type PushState = 'on' | 'off' | 'none' | 'failed';

let desk: PushApi | undefined;
let cloud: Promise<TokenGetter | undefined> | undefined;

function openDesk(): PushApi {
  desk ??= createPushApi({
    baseUrl: location.origin,
    fetch: (input, init) => fetch(input, init),
    account: readOwner,
  });
  return desk;
}

/** One that could not be started, without a network say, is started when it is next wanted. */
function openCloud(): Promise<TokenGetter | undefined> {
  cloud ??= startCloud(openDesk()).catch((error: unknown) => {
    cloud = undefined;
    // oxlint-disable-next-line no-console -- Nothing else depends on it.
    console.warn('Firebase initialisation failed:', error);
    return undefined;
  });
  return cloud;
}

/** The token of this browser at Firebase, where the operator has configured it. */
async function getPushToken(wish: { isNew: boolean }): Promise<string | undefined> {
  return (await openCloud())?.(wish);
}

/** Leaves for the worker what it can't know: the person's language and wishes. */
export async function leaveMemo(change: Partial<Memo> = {}): Promise<Memo> {
  await wantTexts('app');
  const code = readLocale(location.pathname);
  const t = readTexts(code).getFixedT(null, 'app');
  const { hasWordsInNotices, hasSoundAway } = readSettings();
  const memo: Memo = {
    ...(await readMemo()),
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
  await writeMemo(memo);
  return memo;
}

function prefixOf(code: LocaleCode): string {
  return code === 'en' ? '' : `/${code}`;
}

/** Subscribes and tells the server, unless it knows already and was told within the week. */
export async function subscribePush(): Promise<PushState> {
  const registration = await registerWorker();
  if (registration === undefined || !('pushManager' in registration)) return 'none';
  try {
    const memo = await leaveMemo();
    const key = await openDesk().getKey();
    if (key === null) return await subscribeByToken(memo);
    const subscription = await subscribe(registration.pushManager, key, memo.key !== undefined && memo.key !== key);
    const { endpoint = '', keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON();
    const isKnown = memo.endpoint === endpoint && memo.tagKey !== undefined;
    if (isKnown && Date.now() - (memo.toldAt ?? 0) < tellAgainAfter) return 'on';
    const tagKey = isKnown && memo.tagKey !== undefined ? memo.tagKey : newTagKey();
    const locale = readLocale(location.pathname);
    await openDesk().put({ endpoint, keys: { p256dh, auth }, tagKey, locale });
    await leaveMemo({ tagKey, key, endpoint, toldAt: Date.now() });
    return 'on';
  } catch (error) {
    // oxlint-disable-next-line no-console -- What a browser or its push service refused, for whoever helps somebody.
    console.warn('Push subscription failed:', error);
    return 'failed';
  }
}

/** The same by Firebase, where the server has no key of its own: a new token every week. */
async function subscribeByToken({ endpoint, tagKey: known, toldAt = 0 }: Memo): Promise<PushState> {
  const isDue = Date.now() - toldAt >= tellAgainAfter;
  const token = await getPushToken({ isNew: endpoint !== undefined && isDue });
  if (token === undefined) return 'off';
  if (token === endpoint && !isDue) return 'on';
  const tagKey = known ?? newTagKey();
  if (!(await openDesk().putToken({ token, tagKey, locale: readLocale(location.pathname) }))) return 'off';
  const account = readOwner();
  if (account !== undefined) await noteToken(account, token, endpoint);
  await leaveMemo({ tagKey, endpoint: token, toldAt: Date.now() });
  return 'on';
}

/** One that was made for another key of the server's is of no use any more. */
async function subscribe(manager: PushManager, key: string, isOther: boolean): Promise<PushSubscription> {
  const known = await manager.getSubscription();
  if (known !== null && !isOther) return known;
  await known?.unsubscribe();
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

export async function unsubscribePush(): Promise<void> {
  const registration = await registerWorker();
  const subscription = await registration?.pushManager?.getSubscription();
  await subscription?.unsubscribe();
  const { tagKey: _tagKey, key: _key, endpoint: _endpoint, toldAt: _toldAt, ...rest } = await leaveMemo();
  await writeMemo(rest);
  await openDesk().remove();
}

/** At every start: what the person wished once goes on, also after the browser has changed its mind about the address. */
export async function keepPush(): Promise<void> {
  await openCloud();
  if (!readSettings().isNotifying || !('Notification' in window) || Notification.permission !== 'granted') return;
  await subscribePush();
}

export async function testPush(): Promise<void> {
  await openDesk().test();
}
