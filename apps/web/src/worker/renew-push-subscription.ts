/** The browser has replaced or ended the push subscription (`pushsubscriptionchange`). */
import type { PushTarget } from '@dostar/client/service-worker-client';
import { loadServiceWorkerClient } from './load-service-worker-client.ts';
import { type ServiceWorkerState, readServiceWorkerState, writeServiceWorkerState } from './service-worker-state.ts';

declare const self: ServiceWorkerGlobalScope;

/** Subscribes again and registers the subscription. If that fails, the next start of the app does it. */
export async function renewPushSubscription(): Promise<void> {
  const state = await readServiceWorkerState();
  if (state?.tagKey === undefined || state.key === undefined) return;
  const { endpoint: _endpoint, toldAt: _toldAt, ...rest } = state;
  await writeServiceWorkerState(rest satisfies ServiceWorkerState);
  const client = loadServiceWorkerClient();
  const account = await client.findAccount();
  if (account === undefined) return;
  const subscription = await self.registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: state.key,
  });
  const { endpoint = '', keys = {} } = subscription.toJSON();
  const { p256dh = '', auth = '' } = keys;
  const locale = (state.prefix.slice(1) || 'en') as PushTarget['locale'];
  await client.putTarget(account, { endpoint, keys: { p256dh, auth }, tagKey: state.tagKey, locale });
  await writeServiceWorkerState({ ...rest, endpoint, toldAt: Date.now() });
}
