import { DONE } from '@dostar/protocol/contract/done';
import * as contract from '@dostar/protocol/contract/push';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { removeTarget, sendTest, setTarget, setToken } from './service.ts';

const LOOKS: RateLimit = { name: 'push-key', points: 60, perSeconds: 60, scope: 'process' };
/** A device registers once a week, and again when its browser changes the subscription. */
const CHANGES: RateLimit = { name: 'push-targets', points: 60, perSeconds: 3_600, scope: 'shared' };
/** Each makes this server call a push service. */
const TESTS: RateLimit = { name: 'push-tests', points: 10, perSeconds: 3_600, scope: 'shared' };

export function pushRoutes(http: Http, ctx: Context): void {
  http.add(contract.getPushKey, {
    summary: 'Returns the public key of push subscriptions',
    limit: LOOKS,
    handle: async () => ({ key: ctx.webPush?.publicKey ?? null }),
  });
  http.add(contract.getFirebaseSettings, {
    summary: 'Returns the public settings of Firebase',
    limit: LOOKS,
    handle: async () => ({ settings: ctx.firebase }),
  });
  http.add(contract.putPushToken, {
    summary: 'Stores a Firebase token for this device',
    limit: CHANGES,
    async handle({ body, caller }) {
      await setToken(ctx, caller, body);
      return DONE;
    },
  });
  http.add(contract.putPushTarget, {
    summary: 'Stores the push subscription of this device',
    limit: CHANGES,
    async handle({ body: { endpoint, keys, tagKey, locale }, caller }) {
      await setTarget(ctx, caller, { subscription: { endpoint, ...keys }, tagKey, locale });
      return DONE;
    },
  });
  http.add(contract.removePushTarget, {
    summary: 'Removes the push subscription of this device',
    limit: CHANGES,
    async handle({ caller }) {
      await removeTarget(ctx, caller);
      return DONE;
    },
  });
  http.add(contract.testPush, {
    summary: 'Sends a test notification to this device',
    limit: TESTS,
    async handle({ caller }) {
      await sendTest(ctx, caller);
      return DONE;
    },
  });
}
