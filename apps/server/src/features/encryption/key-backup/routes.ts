import * as contract from '@dostar/protocol/contract/key-backup';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { requireReauthentication } from '../../identity/sessions/service.ts';
import { createBackup, deleteBackup, getBackup, getBackupKeys, putBackupKeys, restoreBackup } from './service.ts';

const CALLS: RateLimit = { name: 'backup-calls', points: 60, perSeconds: 60, scope: 'process' };
/** The first upload of a long history takes hundreds of batches, and scrolling a chat requests the keys of each screen. */
const KEYS: RateLimit = { name: 'backup-keys', points: 1_200, perSeconds: 60, scope: 'process' };
const NEW_VERSIONS: RateLimit = { name: 'backup-versions', points: 20, perSeconds: 3_600, scope: 'shared' };
/** A batch of the encryption engine has a hundred entries of one kilobyte. */
const BODY_BYTES = 1024 * 1024;

export function keyBackupRoutes(http: Http, ctx: Context): void {
  http.add(contract.createBackup, {
    summary: 'Creates a version of the key backup',
    limit: NEW_VERSIONS,
    handle: ({ body, caller }) => createBackup(ctx, caller.account, body),
  });
  http.add(contract.getBackup, {
    summary: 'Returns a version of the key backup',
    limit: CALLS,
    handle: ({ body, caller }) => getBackup(ctx, caller.account, body.version),
  });
  http.add(contract.deleteBackup, {
    summary: 'Deletes a version of the key backup',
    limit: CALLS,
    async handle({ body, caller }) {
      if (body.forGood) await requireReauthentication(ctx, caller);
      await deleteBackup(ctx, caller, body);
      return {};
    },
  });
  http.add(contract.restoreBackup, {
    summary: 'Makes an earlier version of the key backup current',
    limit: CALLS,
    async handle({ body, caller }) {
      await restoreBackup(ctx, caller, body.version);
      return {};
    },
  });
  http.add(contract.putBackupKeys, {
    summary: 'Stores encrypted message keys in the backup',
    limit: KEYS,
    bodyBytes: BODY_BYTES,
    handle: ({ body, caller }) => putBackupKeys(ctx, caller.account, body.version, body.rooms),
  });
  http.add(contract.getBackupKeys, {
    summary: 'Returns encrypted message keys of the backup',
    limit: KEYS,
    handle: ({ body, caller }) => getBackupKeys(ctx, caller.account, body),
  });
}
