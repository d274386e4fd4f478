/** The mailbox, for other features: its head, its log and its registers. */
import { ACCOUNT_ALERTS_KEY } from '@dostar/protocol/contract/account-alerts';
import { directChat } from '@dostar/protocol/ids';
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import { deliveredKey, readKey } from '@dostar/protocol/mailbox';
import type { Context } from '../../../context.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { WrongShardError } from '../../../platform/postgres/shards.ts';
import type { Shard } from '../../../platform/postgres/shards.ts';
import { headReader } from './head-reader.ts';
import { countUnread } from './read-store.ts';
import { findDelivered } from './receipts-store.ts';
import { publishRegisters } from './publish-registers.ts';
import {
  insertMailbox,
  listChatBefore,
  listEntriesSince,
  listNewest,
  listRegistersSince,
  lockMailbox,
  putRegisters,
} from './store.ts';
import type { Head, Registers, StoredEntry, RegisterWrite, RegisterResult } from './store.ts';

export { publishKeyCounts, publishSessionEnd, publishToDevice } from './publish-device-hints.ts';

/** The head of a mailbox, from the shard that really has it. */
export async function requireHead(ctx: Context, account: AccountId): Promise<Head> {
  return ctx.shards.withCurrentShard(async () => {
    const shard = ctx.shards.of(account);
    const head = await headReader(shard).submit(account);
    if (!head) throw new WrongShardError('unknown', account, shard.id);
    // Frozen: being moved (still right to read here) or gone already (not).
    if (head.isFrozen) await ctx.placement.reload();
    if (head.isFrozen && ctx.shards.of(account) !== shard) throw new WrongShardError('moved', account, shard.id);
    return head;
  });
}

/** The heads of many mailboxes. Those of a shard that is down, and those that have just moved, are left out. */
export async function listHeads(ctx: Context, accounts: AccountId[]): Promise<Head[]> {
  const heads = await Promise.allSettled(accounts.map((account) => headReader(ctx.shards.of(account)).submit(account)));
  return heads.flatMap((head) =>
    head.status === 'fulfilled' && head.value && !head.value.isFrozen ? [head.value] : [],
  );
}

/** The log after a cursor. A shard that has nothing is asked whether it still has the mailbox. */
export async function listSince(
  ctx: Context,
  account: AccountId,
  seq: number,
  limit: number,
  bytes = Number.MAX_SAFE_INTEGER,
): Promise<StoredEntry[]> {
  const entries = await read();
  if (entries.length > 0) return entries;
  await requireHead(ctx, account);
  return read();

  function read(): Promise<StoredEntry[]> {
    return ctx.shards.of(account).query((db) => listEntriesSince(db, account, seq, { limit, bytes }));
  }
}

export async function listChat(
  ctx: Context,
  account: AccountId,
  page: { chat: ChatId; before?: number | undefined; limit: number },
): Promise<{ epoch: number; entries: StoredEntry[] }> {
  const head = await requireHead(ctx, account);
  const before = page.before ?? head.lastSeq + 1;
  const entries = await ctx.shards
    .of(account)
    .query((db) => listChatBefore(db, account, page.chat, before, page.limit));
  return { epoch: head.epoch, entries };
}

export interface ChatHead {
  last: StoredEntry | undefined;
  /** Counted up to a limit. */
  unread: number;
}

/** The newest message of each chat, and its number of unread messages. */
export async function listChatHeads(
  ctx: Context,
  account: AccountId,
  chats: ChatId[],
  maxUnread: number,
): Promise<Map<ChatId, ChatHead>> {
  const db = ctx.shards.of(account);
  const [newest, unread] = await Promise.all([
    db.query((shard) => listNewest(shard, account, chats)),
    db.query((shard) =>
      countUnread(
        shard,
        account,
        chats.map((chat) => ({ chat, readKey: readKey(chat, account) })),
        maxUnread,
      ),
    ),
  ]);
  const lasts = new Map(newest.map((entry) => [entry.chat, entry]));
  return new Map(chats.map((chat) => [chat, { last: lasts.get(chat), unread: unread.get(chat) ?? 0 }]));
}

/** The next registers changed after `rev`. A shard that has none is asked whether it still has the mailbox. */
export async function listRegisters(ctx: Context, account: AccountId, rev: number): Promise<Registers> {
  const found = await read();
  if (found.registers.length > 0) return found;
  await requireHead(ctx, account);
  return read();

  function read(): Promise<Registers> {
    return ctx.shards.of(account).query((db) => listRegistersSince(db, account, rev));
  }
}

/** Overwrites registers of any accounts and announces those that changed. Registers of unknown accounts are dropped. */
export async function setRegisters(ctx: Context, writes: RegisterWrite[]): Promise<void> {
  await ctx.shards.withCurrentShard(async () => {
    const groups = [...ctx.shards.group(writes, (write) => write.owner)];
    await Promise.all(groups.map(([shard, group]) => setOnShard(ctx, shard, group)));
  });
}

/** The owner has accepted a contact, who now learns how far their messages were delivered (SPEC R5). */
export async function publishDelivered(ctx: Context, owner: AccountId, sender: AccountId): Promise<void> {
  const chat = directChat(owner, sender);
  const mark = await ctx.shards.withCurrentShard(() =>
    ctx.shards.of(owner).write(owner, (db) => findDelivered(db, { owner, chat, sender })),
  );
  if (mark !== undefined)
    await setRegisters(ctx, [{ owner: sender, key: deliveredKey(chat, owner), mark, value: null }]);
}

/** Writes a register in the caller's transaction, which holds the owner's bucket. The caller announces it after the commit. */
export async function setRegisterInTransaction(
  ctx: Context,
  db: ShardDb,
  shard: Shard,
  write: RegisterWrite,
): Promise<PublishableWrite> {
  const results = await putRegisters(db, [write]);
  for (const { verdict } of results) {
    if (verdict === 'moved' || verdict === 'unknown') throw new WrongShardError(verdict, write.owner, shard.id);
  }
  const rev = results[0]?.rev ?? null;
  return { ...(rev !== null && { rev }), publish: () => publishRegisters(ctx, [write], results) };
}

interface PublishableWrite {
  /** Missing if nothing changed. */
  rev?: number;
  publish: () => void;
}

/** Locks the mailbox until the caller's transaction ends, so that what the caller reads next stays true. */
export async function holdMailbox(db: ShardDb, shard: Shard, owner: AccountId): Promise<void> {
  const isHere = await lockMailbox(db, owner);
  if (!isHere) throw new WrongShardError('unknown', owner, shard.id);
}

async function setOnShard(ctx: Context, shard: Shard, writes: RegisterWrite[]): Promise<void> {
  const results = await shard.query((db) => putRegisters(db, writes));
  publishRegisters(ctx, writes, results);

  const ownersOf = (kind: RegisterResult['verdict']): AccountId[] =>
    writes.filter((_, index) => results[index]?.verdict === kind).map((write) => write.owner);
  const unknown = ownersOf('unknown');
  // A shard that has given a mailbox away no longer knows it: the account may be on another shard.
  if (unknown.length > 0) await ctx.placement.reload();
  const absent = [...ownersOf('moved'), ...unknown.filter((owner) => ctx.shards.of(owner) !== shard)];
  for (const owner of absent) throw new WrongShardError('moved', owner, shard.id);
}

/** Part of making an account: the caller holds the bucket. */
export async function createMailbox(db: ShardDb, owner: AccountId): Promise<void> {
  await insertMailbox(db, owner);
}

/** Tells the account's devices to read its alerts. Fire-and-forget: a device that misses it reads them at its next start. */
export function publishAlert(ctx: Context, account: AccountId): void {
  setRegisters(ctx, [{ owner: account, key: ACCOUNT_ALERTS_KEY, mark: ctx.clock.now(), value: null }]).catch(
    (error: unknown) => {
      ctx.log.warn({ err: error }, 'hint not published');
    },
  );
}
