import { RECOVERY_RETENTION_MS } from '@dostar/protocol/contract/account-unlock';
import * as contract from '@dostar/protocol/contract/vault';
import { AppError } from '@dostar/protocol/errors';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { findRestriction } from '../../identity/recovery/service.ts';
import { requireReauthentication } from '../../identity/sessions/service.ts';
import { listRevisions } from './revisions.ts';
import { copyVaultsToArchive, replaceVault } from './service.ts';
import { findVault } from './store.ts';

const LIMIT: RateLimit = { name: 'vault', points: 120, perSeconds: 60, scope: 'process' };
/** A browser writes them when keys are made or replaced. */
const SECRETS: RateLimit = { name: 'vault-secrets', points: 30, perSeconds: 3_600, scope: 'shared' };
const REVISIONS: RateLimit = { name: 'vault-revisions', points: 60, perSeconds: 600, scope: 'shared' };
const REVISIONS_PAGE = 10;
const BODY_BYTES = 2 * contract.MAX_VAULT_BYTES;

/** Pending sessions are refused: with a stolen password they could decrypt a vault (SPEC K14). */
export function vaultRoutes(http: Http, ctx: Context): void {
  http.add(contract.getVault, {
    summary: 'Returns an encrypted vault',
    limit: LIMIT,
    async handle({ body: { kind }, caller: { account } }) {
      // By `write`, not `query`: a shard that gave the account away would report no vault, and the client would create an identity.
      const vault = await ctx.shards.write(account, (db) => findVault(db, account, kind));
      return { rev: vault?.rev ?? 0, blob: vault?.blob.toString('base64url') ?? null };
    },
  });
  http.add(contract.putVault, {
    summary: 'Stores an encrypted vault',
    limit: LIMIT,
    bodyBytes: BODY_BYTES,
    async handle({ body: { kind, rev, blob }, caller }) {
      const { account } = caller;
      if (kind === 'secrets') {
        if (Buffer.byteLength(blob, 'base64url') > contract.MAX_SECRETS_BYTES) throw new AppError('too_large');
        await ctx.limits.charge(SECRETS, account);
      }
      const now = ctx.clock.now();
      await ctx.shards.write(account, async (db) => {
        if ((await findRestriction(db, caller)) !== undefined)
          await copyVaultsToArchive(db, account, [kind], now + RECOVERY_RETENTION_MS);
        await replaceVault(db, account, { kind, rev, blob }, now);
      });
      return { rev: rev + 1 };
    },
  });
  http.add(contract.listVaultRevisions, {
    summary: 'Lists the vaults and their revisions',
    limit: REVISIONS,
    async handle({ body: { kind, before }, caller }) {
      const { account } = caller;
      const page = { kind, before, now: ctx.clock.now(), limit: REVISIONS_PAGE };
      const rows = await ctx.shards.write(account, (db) => listRevisions(db, account, page));
      // An empty list reveals nothing, and asking for it after a fresh start must not need a re-authentication.
      if (rows.length > 0) await requireReauthentication(ctx, caller);
      return { revisions: rows.map(({ blob, ...row }) => ({ ...row, blob: blob.toString('base64url') })) };
    },
  });
}
