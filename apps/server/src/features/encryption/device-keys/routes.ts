import * as contract from '@dostar/protocol/contract/device-keys';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { listDeletedDevices } from './deleted-devices.ts';
import { claimKeys, queryKeys, uploadKeys } from './service.ts';
import { uploadSignatures } from './signatures.ts';
import { uploadSigningKeys } from './cross-signing.ts';

/** A client uploads when its one-time keys run low, and queries when a contact's devices change. */
const UPLOADS: RateLimit = { name: 'key-uploads', points: 60, perSeconds: 60, scope: 'process' };
const QUERIES: RateLimit = { name: 'key-queries', points: 300, perSeconds: 60, scope: 'process' };
/** Two hundred one-time keys, or the devices of 250 people. */
const BODY_BYTES = 256 * 1024;

export function deviceKeyRoutes(http: Http, ctx: Context): void {
  http.add(contract.uploadKeys, {
    summary: 'Publishes the keys of this device',
    limit: UPLOADS,
    bodyBytes: BODY_BYTES,
    handle: async ({ body, caller }) => ({ one_time_key_counts: await uploadKeys(ctx, caller, body) }),
  });
  http.add(contract.queryKeys, {
    summary: 'Returns the devices and identities of accounts',
    limit: QUERIES,
    handle: ({ body, caller }) => queryKeys(ctx, caller.account, body.device_keys),
  });
  http.add(contract.listDeletedDevices, {
    summary: 'Returns keys of devices that were removed',
    limit: QUERIES,
    handle: ({ body, caller }) => listDeletedDevices(ctx, caller.account, body.users),
  });
  http.add(contract.claimKeys, {
    summary: 'Claims one-time keys of devices',
    limit: QUERIES,
    handle: ({ body, caller }) => claimKeys(ctx, caller.account, body.one_time_keys),
  });
  http.add(contract.uploadSigningKeys, {
    summary: 'Publishes the cross-signing keys of the account',
    limit: UPLOADS,
    async handle({ body, caller }) {
      await uploadSigningKeys(ctx, caller, body);
      return {};
    },
  });
  http.add(contract.uploadSignatures, {
    summary: 'Publishes signatures of devices and identities',
    limit: UPLOADS,
    bodyBytes: BODY_BYTES,
    handle: ({ body, caller }) => uploadSignatures(ctx, caller, body),
  });
}
