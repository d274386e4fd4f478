/** Push targets: where devices get their pushes. */
import type { AccountId, DeviceId } from '@dostar/protocol/ids';
import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import type { ShardTables } from '../../../platform/postgres/tables/tables.ts';

export type TargetRow = Omit<Selectable<ShardTables['push_target']>, 'owner' | 'device'> & {
  owner: AccountId;
  device: DeviceId;
};
export type NewTarget = Pick<
  TargetRow,
  'owner' | 'device' | 'kind' | 'address' | 'p256dh' | 'auth' | 'tag_key' | 'locale'
>;

/**
 * Stores the device's only target. Holds the mailbox, so that no message is missed in between. False if the session of the
 * device has ended: its target went with it.
 */
export async function putTarget(db: ShardDb, target: NewTarget, now: number): Promise<boolean> {
  const { owner, device, kind, address, p256dh, auth, tag_key: tagKey, locale } = target;
  const { rows } = await sql`
    with here as materialized (
      select m.last_seq from mailbox m where m.owner = ${owner} for no key update
    ), signed_in as materialized (
      select from device d where d.owner = ${owner} and d.id = ${device} for share
    )
    insert into push_target as t
      (owner, device, kind, address, p256dh, auth, tag_key, locale, told_seq, created_at, updated_at)
    select ${owner}, ${device}, ${kind}, ${address}, ${p256dh}, ${auth}, ${tagKey}, ${locale}, last_seq, ${now}, ${now}
    from here, signed_in
    on conflict (owner, device) do update set
      kind = excluded.kind, address = excluded.address, p256dh = excluded.p256dh, auth = excluded.auth,
      tag_key = excluded.tag_key, locale = excluded.locale, updated_at = excluded.updated_at, failures = 0, refusals = 0,
      retry_at = 0
    returning t.owner`.execute(db);
  return rows.length > 0;
}

export async function findTarget(db: ShardDb, owner: AccountId, device: DeviceId): Promise<TargetRow | undefined> {
  const row = await db
    .selectFrom('push_target')
    .selectAll()
    .where('owner', '=', owner)
    .where('device', '=', device)
    .executeTakeFirst();
  return row as TargetRow | undefined;
}

/** With `address`: only if the device has not given another one since. */
export async function deleteTarget(db: ShardDb, owner: AccountId, device: DeviceId, address?: string): Promise<void> {
  await db
    .deleteFrom('push_target')
    .where('owner', '=', owner)
    .where('device', '=', device)
    .$if(address !== undefined, (query) => query.where('address', '=', address!))
    .execute();
}
