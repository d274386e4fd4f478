import * as contract from '@dostar/protocol/contract/hand-over';
import { DONE } from '@dostar/protocol/contract/done';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { Limit } from '../../../platform/concurrency/rate-limits.ts';
import {
  answerHandOver,
  askHandOver,
  refuseHandOver,
  requireHandOver,
  revealHandOver,
  sealHandOver,
} from './service.ts';

/** Both devices look every second or two. */
const LOOKS: Limit = { name: 'hand-over-looks', points: 240, perSeconds: 60, scope: 'process' };
const LIMIT: Limit = { name: 'hand-over-calls', points: 30, perSeconds: 60, scope: 'process' };

export function handOverRoutes(http: Http, ctx: Context): void {
  http.add(contract.askHandOver, {
    limit: LIMIT,
    handle: async ({ body, caller }) => ({ id: await askHandOver(ctx, caller, body.commitment) }),
  });
  http.add(contract.lookAtHandOver, {
    limit: LOOKS,
    handle: ({ body, caller }) => requireHandOver(ctx, caller.account, body.id),
  });
  http.add(contract.answerHandOver, {
    limit: LIMIT,
    async handle({ body, caller }) {
      await answerHandOver(ctx, caller, body.id, body.publicKey);
      return DONE;
    },
  });
  http.add(contract.revealHandOver, {
    limit: LIMIT,
    async handle({ body, caller }) {
      await revealHandOver(ctx, caller, body.id, body.publicKey);
      return DONE;
    },
  });
  http.add(contract.sealHandOver, {
    limit: LIMIT,
    async handle({ body, caller }) {
      await sealHandOver(ctx, caller, body.id, body.sealed);
      return DONE;
    },
  });
  http.add(contract.refuseHandOver, {
    limit: LIMIT,
    async handle({ body, caller }) {
      await refuseHandOver(ctx, caller, body.id);
      return DONE;
    },
  });
}
