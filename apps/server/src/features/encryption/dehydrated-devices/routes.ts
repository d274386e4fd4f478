import * as contract from '@dostar/protocol/contract/key-backup';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { getDehydratedDevice, listDehydratedEvents, replaceDehydratedDevice } from './service.ts';

const READS: RateLimit = { name: 'dehydrated-reads', points: 300, perSeconds: 60, scope: 'process' };
/** A browser replaces it once a month, or when it can't open it. */
const WRITES: RateLimit = { name: 'dehydrated-writes', points: 30, perSeconds: 3_600, scope: 'shared' };
const BODY_BYTES = 256 * 1024;

export function dehydratedDeviceRoutes(http: Http, ctx: Context): void {
  http.add(contract.putDehydratedDevice, {
    summary: 'Stores or replaces the dehydrated device',
    limit: WRITES,
    bodyBytes: BODY_BYTES,
    async handle({ body, caller }) {
      await replaceDehydratedDevice(ctx, caller, body);
      return { device_id: body.device.device_id };
    },
  });
  http.add(contract.getDehydratedDevice, {
    summary: 'Returns the dehydrated device',
    limit: READS,
    handle: ({ caller }) => getDehydratedDevice(ctx, caller.account),
  });
  http.add(contract.listDehydratedEvents, {
    summary: 'Returns the to-device events of the dehydrated device',
    limit: READS,
    handle: ({ body, caller }) => listDehydratedEvents(ctx, caller.account, body),
  });
}
