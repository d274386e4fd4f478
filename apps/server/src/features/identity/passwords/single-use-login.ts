import { createHash } from 'node:crypto';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import { consumeChallenge } from '../../../platform/security/used-challenges.ts';

interface Login {
  /** The server's state of the OPAQUE exchange, unique to each login. */
  state: string;
  expiresAt: number;
}

/** False if the login was finished before: the proof is a replay. */
export async function consumeLoginState(
  ctx: Context,
  account: AccountId,
  { state, expiresAt }: Login,
): Promise<boolean> {
  const hash = createHash('sha256').update(`login ${state}`).digest();
  return ctx.shards.write(account, (db) => consumeChallenge(db, account, hash, { now: ctx.clock.now(), expiresAt }));
}
