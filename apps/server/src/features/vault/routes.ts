import { KEPT_FOR_UNLOCKING_MS } from '@dostar/protocol/contract/unlocking';
import * as contract from '@dostar/protocol/contract/vault';
import type { Context } from '../../context.ts';
import type { Http } from '../../platform/http.ts';
import type { Limit } from '../../platform/limits.ts';
import { findShield } from '../resets/service.ts';
import { keepVaults, replaceVault } from './service.ts';
import { findVault } from './store.ts';

const LIMIT: Limit = { name: 'vault', points: 120, perSeconds: 60, scope: 'process' };
const BODY_BYTES = 2 * contract.MAX_VAULT_BYTES;

/** Only whole sessions get here: one that owes a second factor could open a vault with a stolen password (SPEC K14). */
export function vaultRoutes(http: Http, ctx: Context): void {
  http.add(contract.getVault, {
    limit: LIMIT,
    async handle({ body: { kind }, caller: { account } }) {
      // Held: a shard that has given the account away would say that there is none, and a new identity would be made.
      const vault = await ctx.shards.follow(() =>
        ctx.shards.of(account).write(account, (db) => findVault(db, account, kind)),
      );
      return { rev: vault?.rev ?? 0, blob: vault?.blob.toString('base64url') ?? null };
    },
  });
  http.add(contract.putVault, {
    limit: LIMIT,
    bodyBytes: BODY_BYTES,
    async handle({ body: { kind, rev, blob }, caller }) {
      const { account } = caller;
      const until = ctx.clock.now() + KEPT_FOR_UNLOCKING_MS;
      await ctx.shards.follow(() =>
        ctx.shards.of(account).write(account, async (db) => {
          if ((await findShield(db, caller)) !== undefined) await keepVaults(db, account, [kind], until);
          await replaceVault(db, account, { kind, rev, blob });
        }),
      );
      return { rev: rev + 1 };
    },
  });
}
