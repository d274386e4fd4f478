/** The browser has given the subscription another address, or taken it away. */
import type { PushTarget } from '@dostar/client/service-worker-client';
import { loadAside } from './load-client.ts';
import { type Memo, readMemo, writeMemo } from './service-worker-state.ts';

declare const self: ServiceWorkerGlobalScope;

/** Subscribes again and tells the server. If that fails, the next start finds nothing told and does it. */
export async function subscribeAgain(): Promise<void> {
  const memo = await readMemo();
  if (memo?.tagKey === undefined || memo.key === undefined) return;
  const { endpoint: _endpoint, toldAt: _toldAt, ...rest } = memo;
  await writeMemo(rest satisfies Memo);
  const aside = loadAside();
  const account = await aside.findAccount();
  if (account === undefined) return;
  const subscription = await self.registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: memo.key,
  });
  const { endpoint = '', keys = {} } = subscription.toJSON();
  const { p256dh = '', auth = '' } = keys;
  const locale = (memo.prefix.slice(1) || 'en') as PushTarget['locale'];
  await aside.putTarget(account, { endpoint, keys: { p256dh, auth }, tagKey: memo.tagKey, locale });
  await writeMemo({ ...rest, endpoint, toldAt: Date.now() });
}
