import * as contract from '@dostar/protocol/contract/to-device';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { sendToDevice } from './service.ts';

/** A room key for every chat after a long silence comes to a few hundred at once. */
const SENDS: RateLimit = { name: 'to-device', points: 600, perSeconds: 60, scope: 'process' };
/** 250 events of the encryption engine, with a margin. Clients send few of the largest events at once. */
const BODY_BYTES = 2 * 1024 * 1024;

export function toDeviceRoutes(http: Http, ctx: Context): void {
  http.add(contract.sendToDevice, {
    summary: 'Sends encrypted events to devices',
    limit: SENDS,
    bodyBytes: BODY_BYTES,
    async handle({ body, caller }) {
      await sendToDevice(ctx, caller, body);
      return {};
    },
  });
}
