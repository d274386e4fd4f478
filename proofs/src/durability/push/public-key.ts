import { readFileSync } from 'node:fs';
import { ensureSecrets } from '@dostar/tools/servers';
import { systemClock } from '../../../../apps/server/src/platform/concurrency/clock.ts';
import { createLog } from '../../../../apps/server/src/platform/observability/log.ts';
import { WebPush } from '../../../../apps/server/src/platform/delivery/web-push.ts';

/** Of the key that the servers of proofs are started with. */
export function readPublicKey(): string {
  const privateKey = readFileSync(ensureSecrets().VAPID_KEY_FILE, 'utf8').trim();
  const log = createLog('silent');
  using push = new WebPush({ privateKey, contact: 'mailto:nobody@example.org', hosts: [], clock: systemClock, log });
  return push.publicKey;
}
