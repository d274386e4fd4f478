import { DEFAULT_PRIVACY, PRIVACY_KEY } from '@dostar/protocol/contract/privacy';
import type { Privacy } from '@dostar/protocol/contract/privacy';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { holdMailbox, setRegisterInTransaction } from '../../messaging/mailbox/service.ts';
import { listPrivacy, putPrivacy } from './store.ts';

/** The settings of many accounts; the defaults for accounts that never changed them. */
export async function listPrivacyOf(ctx: Context, accounts: AccountId[]): Promise<Map<AccountId, Privacy>> {
  const groups = [...ctx.shards.group(accounts, (account) => account)];
  const found = await Promise.all(groups.map(([shard, owners]) => shard.query((db) => listPrivacy(db, owners))));
  const chosen = new Map(found.flat().map(({ owner, ...choices }) => [owner, choices]));
  return new Map(accounts.map((account) => [account, chosen.get(account) ?? DEFAULT_PRIVACY]));
}

/** Whether strangers may send requests. */
export async function takesRequests(db: ShardDb, owner: AccountId): Promise<boolean> {
  const [chosen] = await listPrivacy(db, [owner]);
  return (chosen ?? DEFAULT_PRIVACY).writers === 'everybody';
}

/** Published when the visibility of an account may have changed: watchers ask again. */
export function visibilitySubject(account: AccountId): string {
  return `visibility.${account}`;
}

type Changes = { [Choice in keyof Privacy]?: Privacy[Choice] | undefined };

export async function changePrivacy(ctx: Context, owner: AccountId, changes: Changes): Promise<Privacy> {
  return ctx.shards.withCurrentShard(async () => {
    const shard = ctx.shards.of(owner);
    let publish: (() => void) | undefined;
    const now = await shard.write(owner, async (db) => {
      await holdMailbox(db, shard, owner);
      const [chosen = DEFAULT_PRIVACY] = await listPrivacy(db, [owner]);
      const next: Privacy = {
        lastSeen: changes.lastSeen ?? chosen.lastSeen,
        writers: changes.writers ?? chosen.writers,
        receipts: changes.receipts ?? chosen.receipts,
        typing: changes.typing ?? chosen.typing,
      };
      await putPrivacy(db, owner, next);
      const value = Buffer.from(JSON.stringify(next));
      ({ publish } = await setRegisterInTransaction(ctx, db, shard, { owner, key: PRIVACY_KEY, mark: null, value }));
      return next;
    });
    publish?.();
    ctx.bus.publish(visibilitySubject(owner), '');
    return now;
  });
}
