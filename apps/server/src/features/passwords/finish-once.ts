import { createHash } from 'node:crypto';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../context.ts';
import { takeChallenge } from '../../platform/used-challenges.ts';

interface Login {
  /** The server's half of the exchange, which no two logins share. */
  state: string;
  expiresAt: number;
}

/** False for a login that was finished before: its proof was kept or overheard. */
export async function finishOnce(ctx: Context, account: AccountId, { state, expiresAt }: Login): Promise<boolean> {
  const hash = createHash('sha256').update(`login ${state}`).digest();
  return ctx.shards.follow(() =>
    ctx.shards
      .of(account)
      .write(account, (db) => takeChallenge(db, account, hash, { now: ctx.clock.now(), expiresAt })),
  );
}
