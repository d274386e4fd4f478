import * as contract from '@dostar/protocol/contract/device-transfer';
import { DONE } from '@dostar/protocol/contract/done';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import {
  answerDeviceTransfer,
  requestDeviceTransfer,
  refuseDeviceTransfer,
  requireDeviceTransfer,
  revealDeviceTransfer,
  sealDeviceTransfer,
} from './service.ts';

/** Both devices poll every second or two. */
const READS: RateLimit = { name: 'device-transfer-reads', points: 240, perSeconds: 60, scope: 'process' };
const LIMIT: RateLimit = { name: 'device-transfer-calls', points: 30, perSeconds: 60, scope: 'process' };

export function deviceTransferRoutes(http: Http, ctx: Context): void {
  http.add(contract.requestDeviceTransfer, {
    summary: 'Asks another device of the account for the account key',
    limit: LIMIT,
    handle: async ({ body, caller }) => ({ id: await requestDeviceTransfer(ctx, caller, body.commitment) }),
  });
  http.add(contract.getDeviceTransfer, {
    summary: 'Returns the state of a device transfer',
    limit: READS,
    handle: ({ body, caller }) => requireDeviceTransfer(ctx, caller.account, body.id),
  });
  http.add(contract.answerDeviceTransfer, {
    summary: 'Accepts a device transfer with a public key',
    limit: LIMIT,
    async handle({ body, caller }) {
      await answerDeviceTransfer(ctx, caller, body.id, body.publicKey);
      return DONE;
    },
  });
  http.add(contract.revealDeviceTransfer, {
    summary: 'Reveals the public key that the request committed to',
    limit: LIMIT,
    async handle({ body, caller }) {
      await revealDeviceTransfer(ctx, caller, body.id, body.publicKey);
      return DONE;
    },
  });
  http.add(contract.sealDeviceTransfer, {
    summary: 'Stores the encrypted account key for the other device',
    limit: LIMIT,
    async handle({ body, caller }) {
      await sealDeviceTransfer(ctx, caller, body.id, body.sealed);
      return DONE;
    },
  });
  http.add(contract.refuseDeviceTransfer, {
    summary: 'Refuses a device transfer',
    limit: LIMIT,
    async handle({ body, caller }) {
      await refuseDeviceTransfer(ctx, caller, body.id);
      return DONE;
    },
  });
}
