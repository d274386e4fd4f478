import { randomBytes } from 'node:crypto';
import * as contract from '@dostar/protocol/contract/push';
import type { Browser, PushService } from './push-service.ts';
import type { SignedIn, TestCluster } from './test-cluster.ts';

export interface Phone extends SignedIn {
  browser: Browser;
  tagKey: string;
}

/** Adds a signed-in browser with a push subscription. */
export async function addPhone(cluster: TestCluster, service: PushService, person: SignedIn): Promise<Phone> {
  const browser = service.addBrowser();
  const tagKey = randomBytes(32).toString('base64url');
  const target = { ...browser.subscription, tagKey, locale: 'en' } as const;
  const { status, body } = await cluster.call(contract.putPushTarget, person, target);
  if (status !== 200) throw new Error(`no target: ${status} ${JSON.stringify(body)}`);
  return { ...person, browser, tagKey };
}
