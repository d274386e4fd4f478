/** Phones of the two users, and everything that their push service received or could decrypt. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { putPushTarget } from '@dostar/protocol/contract/push';
import { waitFor } from '@dostar/tools/servers';
import { startPushService, type Browser as Phone } from '../../../../apps/server/test/push-service.ts';
import { REPO_ROOT } from '../../harness/lib/engines.ts';
import type { Browser } from '@dostar/client/testing/http-browser';
import { readPublicKey } from '../../durability/push/public-key.ts';
import type { PlantedSecrets, EvidenceSource } from '../secrets/planted-secrets.ts';

/** Places that may contain ids and names of people. A push service may not. */
const OWN_SOURCES: EvidenceSource[] = ['database', 'nats', 'log', 'url', 'blobs'];

export interface Pushes extends AsyncDisposable {
  /** Environment of servers that trust the push service. */
  env: Record<string, string>;
  add(plantedSecrets: PlantedSecrets, browser: Browser, names: string[]): Promise<void>;
  /** Waits for a push to one of the phones added since the last call, then returns everything that the service saw. */
  read(): Promise<string>;
}

export async function startPushes(name: string): Promise<Pushes> {
  const service = await startPushService(readPublicKey);
  const folder = join(REPO_ROOT, '.dev/proofs', name);
  mkdirSync(folder, { recursive: true });
  const authority = join(folder, 'authority.pem');
  writeFileSync(authority, service.certificate);
  const phones: Phone[] = [];
  let read = 0;
  return {
    env: { PUSH_HOSTS: service.origin, NODE_EXTRA_CA_CERTS: authority },
    async add(plantedSecrets, browser, names) {
      const phone = service.addBrowser();
      const tagKey = randomBytes(32).toString('base64url');
      await browser.call(putPushTarget, { ...phone.subscription, tagKey, locale: 'en' });
      phones.push(phone);
      for (const each of names) plantedSecrets.plant('who somebody is', each, OWN_SOURCES);
    },
    async read() {
      // One phone is enough: in a short chat the sender gets no push.
      const isTold = (): boolean => phones.slice(read).some(({ received }) => received.length > 0);
      await waitFor(async () => isTold(), { timeoutMs: 60_000, what: 'a push' });
      read = phones.length;
      const seen = service.requests.map(({ path, headers }) => JSON.stringify({ path, headers }));
      const opened = phones.flatMap(({ received }) => received.map(({ text }) => text));
      return [...seen, ...opened].join('\n');
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}
