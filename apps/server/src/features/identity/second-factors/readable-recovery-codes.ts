/**
 * Recovery codes that their owner may view again, as `/v1` requires. They are hashed like all recovery codes, so that using
 * one is the same, and also stored encrypted.
 */
import type { AccountId } from '@dostar/protocol/ids';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { hashRecoveryCode, generateShortCodes } from './recovery-codes.ts';
import { listCodes, listSealedCodes, replaceRecoveryCodes, replaceSealedCode } from './store.ts';

/** Invalidates the previous codes. */
export async function renewReadableCodes(ctx: Context, account: AccountId): Promise<string[]> {
  const codes = generateShortCodes();
  const made = await Promise.all(
    codes.map(async (code) => ({
      hash: await hashRecoveryCode(account, code),
      sealed: ctx.sealer.seal(contextOf(account), code),
    })),
  );
  const now = ctx.clock.now();
  await ctx.shards.write(account, (db) => replaceRecoveryCodes(db, account, made, now));
  return codes;
}

/** The unused codes; undefined if the account has none at all. */
export async function listReadableCodes(ctx: Context, account: AccountId): Promise<string[] | undefined> {
  const kept = await ctx.shards.of(account).query((db) => listCodes(db, account));
  if (kept.length === 0) return undefined;
  return kept
    .filter(({ usedAt, sealed }) => usedAt === null && sealed !== null)
    .map(({ sealed }) => z.string().parse(ctx.sealer.open(contextOf(account), sealed ?? '')));
}

const FIRST = { owner: '00000000-0000-0000-0000-000000000000', hash: Buffer.alloc(0) };
const PAGE = 500;

/** Encrypts them with the newest key. Returns how many there were. */
export async function resealReadableCodes(ctx: Context): Promise<number> {
  let count = 0;
  for (const shard of ctx.shards.all()) {
    for (let page = await shard.query((db) => listSealedCodes(db, FIRST, PAGE)); page.length > 0;) {
      for (const { owner, hash, sealed } of page) {
        const context = contextOf(owner as AccountId);
        const to = ctx.sealer.seal(context, z.string().parse(ctx.sealer.open(context, sealed ?? '')));
        await shard.query((db) => replaceSealedCode(db, owner as AccountId, hash, to));
        count += 1;
      }
      const last = page.at(-1)!;
      page = await shard.query((db) => listSealedCodes(db, last, PAGE));
    }
  }
  return count;
}

function contextOf(account: AccountId): string {
  return `recovery code ${account}`;
}
