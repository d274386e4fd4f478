import type { KeyRing } from '@dostar/client';
import { openWorkerKeyRing } from '@dostar/client/key-ring-worker';
import type { AccountId } from '@dostar/protocol/ids';

/** Called in the leading tab: starts the encryption engine in a worker, which loads nothing before that. */
export function openKeyRing(account: AccountId): KeyRing {
  const worker = new Worker(new URL('./engine.worker.ts', import.meta.url), { type: 'module' });
  const keyRing = openWorkerKeyRing(worker, {
    account,
    baseUrl: location.origin,
    // oxlint-disable-next-line no-console -- Codes and counts of the engine, never text or keys.
    log: (event, fields) => console.debug(event, fields ?? ''),
  });
  keyRing.onRenew(() => void import('../notifications/push.ts').then(({ registerNewDevice }) => registerNewDevice()));
  return keyRing;
}
