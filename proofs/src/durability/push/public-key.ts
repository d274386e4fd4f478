import { readFileSync } from 'node:fs';
import { ensureSecrets } from '@dostar/tools/servers';
import { systemClock } from '../../../../apps/server/src/platform/concurrency/clock.ts';
import { createLog } from '../../../../apps/server/src/platform/observability/log.ts';
import { WebPush } from '../../../../apps/server/src/platform/delivery/web-push.ts';

/** The public key of the VAPID key with which the proofs start servers. */
export function readPublicKey(): string {
  const privateKey = readFileSync(ensureSecrets().VAPID_KEY_FILE, 'utf8').trim();
  const log = createLog('silent');
  using push = new WebPush({ privateKey, contact: 'mailto:nobody@example.org', hosts: [], clock: systemClock, log });
  return push.publicKey;
}
