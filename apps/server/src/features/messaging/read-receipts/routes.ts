import * as contract from '@dostar/protocol/contract/read-receipts';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { markRead } from './service.ts';

/** A device sends only the last of the marks that wait; in a busy chat that is a few a second. */
const READS: RateLimit = { name: 'read-marks', points: 300, perSeconds: 60, scope: 'process' };

export function readReceiptRoutes(http: Http, ctx: Context): void {
  http.add(contract.markRead, {
    summary: 'Marks a chat as read up to a message',
    limit: READS,
    async handle({ body, caller }) {
      await markRead(ctx, caller.account, body.peer, body.upTo);
      return {};
    },
  });
}
