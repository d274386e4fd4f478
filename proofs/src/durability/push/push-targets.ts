/** Inserts many accounts, each with one target and one unread message, into the shards with one statement. */
import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../../apps/server/src/context.ts';
import type { Subscription } from './service.ts';

export interface Member {
  owner: AccountId;
  subscription: Subscription;
}

export async function insertPushTargets(ctx: Context, subscriptions: Subscription[]): Promise<Member[]> {
  const members = subscriptions.map((subscription) => ({ owner: randomUUID() as AccountId, subscription }));
  for (const [shard, group] of ctx.shards.group(members, ({ owner }) => owner)) {
    const owners = group.map(({ owner }) => owner);
    const keysOf = group.map(({ subscription }) => subscription.keys);
    await shard.transact(async (db) => {
      await sql`insert into mailbox (owner, last_seq) select owner, 1 from unnest(${owners}::uuid[]) as o (owner)`.execute(
        db,
      );
      await sql`
        insert into log (owner, seq, sender, message_id, chat, at, to_device, body, rings)
        select owner, 1, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 0, 0, '\\x00', true
        from unnest(${owners}::uuid[]) as o (owner)`.execute(db);
      await sql`
        insert into push_target (owner, device, kind, address, p256dh, auth, tag_key, locale, told_seq, created_at, updated_at)
        select owner, gen_random_uuid(), 'web', address, p256dh, auth, tag_key, 'en', 0, 0, 0
        from unnest(
          ${owners}::uuid[], ${group.map(({ subscription }) => subscription.endpoint)}::text[],
          ${keysOf.map(({ p256dh }) => p256dh)}::text[], ${keysOf.map(({ auth }) => auth)}::text[],
          ${group.map(() => randomBytes(32).toString('base64url'))}::text[]
        ) as o (owner, address, p256dh, auth, tag_key)`.execute(db);
      await sql`analyze push_target, mailbox, log`.execute(db);
    });
  }
  return members;
}

/** Sets the rows as if all these messages had just arrived and no push had been sent. */
export async function markPushesDue(ctx: Context, members: Member[]): Promise<void> {
  for (const [shard, group] of ctx.shards.group(members, ({ owner }) => owner)) {
    const owners = group.map(({ owner }) => owner);
    await shard.transact(async (db) => {
      await sql`update push_target set told_seq = 0 where owner = any (${owners}::uuid[])`.execute(db);
      await sql`
        insert into push_due (owner, since) select owner, 1 from unnest(${owners}::uuid[]) as o (owner)
        on conflict (owner) do update set since = excluded.since`.execute(db);
    });
  }
}

/** Sets the rows as if half a minute had passed since a worker leased them. */
export async function expireLeases(ctx: Context, members: Member[]): Promise<void> {
  for (const [shard, group] of ctx.shards.group(members, ({ owner }) => owner)) {
    const owners = group.map(({ owner }) => owner);
    await shard.query((db) =>
      sql`update push_due set since = since - 35000 where owner = any (${owners}::uuid[])`.execute(db),
    );
  }
}

export async function countPushesDue(ctx: Context, members: Member[]): Promise<number> {
  let due = 0;
  for (const [shard, group] of ctx.shards.group(members, ({ owner }) => owner)) {
    const owners = group.map(({ owner }) => owner);
    const { rows } = await shard.query((db) =>
      sql<{ count: number }>`select count(*) from push_due where owner = any (${owners}::uuid[])`.execute(db),
    );
    due += rows[0]!.count;
  }
  return due;
}
