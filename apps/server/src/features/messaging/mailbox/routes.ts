import * as contract from '@dostar/protocol/contract/messages';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { listChat } from './service.ts';
import { checkRecipient, eraseMessage, sendMessage } from './send-message.ts';

/** A user types a few a second at most; a burst after a day offline gets through because the client retries. */
const SENDS: RateLimit = { name: 'sends', points: 600, perSeconds: 10, scope: 'process' };
/** A client asks each time it finds no device to encrypt for, and waits longer after each try. */
const CHECKS: RateLimit = { name: 'recipients', points: 60, perSeconds: 60, scope: 'process' };
const READS: RateLimit = { name: 'history', points: 300, perSeconds: 10, scope: 'process' };

export function messageRoutes(http: Http, ctx: Context): void {
  http.add(contract.sendMessage, {
    summary: 'Sends an encrypted message',
    limit: SENDS,
    handle: ({ body, caller }) => sendMessage(ctx, caller.account, body),
  });
  http.add(contract.checkRecipient, {
    summary: 'Says whether an account accepts messages from the caller',
    limit: CHECKS,
    async handle({ body, caller }) {
      await checkRecipient(ctx, caller.account, body.to);
      return {};
    },
  });
  http.add(contract.eraseMessage, {
    summary: 'Deletes a message, for the caller or for both sides',
    limit: SENDS,
    handle: ({ body, caller }) => eraseMessage(ctx, caller.account, body),
  });
  http.add(contract.listChat, {
    summary: 'Returns a page of a chat',
    limit: READS,
    handle: ({ body, caller }) => listChat(ctx, caller.account, body),
  });
}
