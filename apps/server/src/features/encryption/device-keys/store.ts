/** The SQL of keys. Signed objects are stored as canonical JSON text. */
import type { AccountId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { deletePage } from '../../../platform/postgres/paged-delete.ts';

export interface NamedKey {
  algorithm: string;
  name: string;
  key: string;
}

export async function findDeviceKeys(db: ShardDb, owner: AccountId, device: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('device_key')
    .select('keys')
    .where('owner', '=', owner)
    .where('device', '=', device)
    .executeTakeFirst();
  return row?.keys;
}

export async function putDeviceKeys(db: ShardDb, owner: AccountId, device: string, keys: string): Promise<void> {
  await db
    .insertInto('device_key')
    .values({ owner, device, keys })
    .onConflict((conflict) => conflict.columns(['owner', 'device']).doUpdateSet({ keys }))
    .execute();
}

export async function takeDeviceKeys(db: ShardDb, owner: AccountId, device: string): Promise<string | undefined> {
  const row = await db
    .deleteFrom('device_key')
    .where('owner', '=', owner)
    .where('device', '=', device)
    .returning('keys')
    .executeTakeFirst();
  return row?.keys;
}

/** All keys of a device, and its queue. */
export async function deleteDeviceKeys(db: ShardDb, owner: AccountId, device: string): Promise<void> {
  for (const table of ['device_key', 'one_time_key', 'fallback_key', 'to_device'] as const) {
    await db.deleteFrom(table).where('owner', '=', owner).where('device', '=', device).execute();
  }
}

/** Whether the device's queue has events after this number. */
export async function hasEventsAfter(db: ShardDb, owner: AccountId, device: string, upTo: number): Promise<boolean> {
  const row = await db
    .selectFrom('to_device')
    .select('seq')
    .where('owner', '=', owner)
    .where('device', '=', device)
    .where('seq', '>', upTo)
    .executeTakeFirst();
  return row !== undefined;
}

/** Of the names asked about, those that were uploaded before, claimed or not. */
export async function listKnownKeys(
  db: ShardDb,
  owner: AccountId,
  device: string,
  names: string[],
): Promise<NamedKey[]> {
  return db
    .selectFrom('one_time_key')
    .select(['algorithm', 'name', 'key'])
    .where('owner', '=', owner)
    .where('device', '=', device)
    .where('name', '=', sql<string>`any(${names}::text[])`)
    .execute();
}

/** In the given order. The caller holds the lock that excludes other uploads of the device. */
export async function insertOneTimeKeys(
  db: ShardDb,
  owner: AccountId,
  device: string,
  keys: NamedKey[],
): Promise<void> {
  await sql`
    insert into one_time_key (owner, device, algorithm, name, key, seq)
    select ${owner}, ${device}, k.algorithm, k.name, k.key, k.ord + coalesce((
      select max(seq) from one_time_key where owner = ${owner} and device = ${device}
    ), 0)
    from unnest(
      ${keys.map((key) => key.algorithm)}::text[], ${keys.map((key) => key.name)}::text[],
      ${keys.map((key) => key.key)}::text[]
    ) with ordinality as k (algorithm, name, key, ord)`.execute(db);
}

export async function countOneTimeKeys(db: ShardDb, owner: AccountId, devices: string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('one_time_key')
    .select(['device', (eb) => eb.fn.countAll<number>().as('count')])
    .where('owner', '=', owner)
    .where('device', '=', sql<string>`any(${devices}::text[])`)
    .where('claimed_at', 'is', null)
    .groupBy('device')
    .execute();
  return new Map(rows.map((row) => [row.device, row.count]));
}

export async function listFallbackKeys(db: ShardDb, owner: AccountId, device: string): Promise<NamedKey[]> {
  return db
    .selectFrom('fallback_key')
    .select(['algorithm', 'name', 'key'])
    .where('owner', '=', owner)
    .where('device', '=', device)
    .execute();
}

/** Replaces the fallback key of the algorithm. */
export async function putFallbackKey(
  db: ShardDb,
  owner: AccountId,
  device: string,
  { algorithm, name, key }: NamedKey,
): Promise<void> {
  await db
    .insertInto('fallback_key')
    .values({ owner, device, algorithm, name, key })
    .onConflict((conflict) =>
      conflict.columns(['owner', 'device', 'algorithm']).doUpdateSet({ name, key, used: false }),
    )
    .execute();
}

export interface ClaimedKey extends NamedKey {
  device: string;
  isFallback: boolean;
}

/**
 * For each device the oldest unclaimed key; if there is none, or none may be spent, the fallback key. Skips a key that is
 * being claimed.
 */
export async function claimStoredKeys(
  db: ShardDb,
  owner: AccountId,
  wanted: { device: string; algorithm: string }[],
  { canConsume, now }: { canConsume: boolean; now: number },
): Promise<ClaimedKey[]> {
  const { rows } = await sql<ClaimedKey>`
    with wanted as materialized (
      select * from unnest(
        ${wanted.map((row) => row.device)}::text[], ${wanted.map((row) => row.algorithm)}::text[]
      ) as w (device, algorithm)
    ), picked as materialized (
      select w.device, w.algorithm, k.* from wanted w, lateral (
        select o.ctid as row_id, o.name, o.key from one_time_key o
        where ${canConsume}::boolean
          and o.owner = ${owner} and o.device = w.device and o.algorithm = w.algorithm and o.claimed_at is null
        order by o.seq limit 1 for update skip locked
      ) k
    ), spent as (
      update one_time_key o set claimed_at = ${now} from picked p where o.ctid = p.row_id
    ), fallback as (
      update fallback_key f set used = true from wanted w
      where f.owner = ${owner} and f.device = w.device and f.algorithm = w.algorithm
        and not exists (select from picked p where p.device = w.device)
      returning f.device, f.algorithm, f.name, f.key
    )
    select device, algorithm, name, key, false as "isFallback" from picked
    union all
    select device, algorithm, name, key, true from fallback`.execute(db);
  return rows;
}

/** Deletes a page of keys that were claimed so long ago that no upload of them is still retried. */
export async function deleteClaimed(db: ShardDb, before: number): Promise<boolean> {
  return deletePage(db, 'one_time_key', sql`claimed_at < ${before}`);
}

export interface AccountKeys {
  owner: AccountId;
  isFrozen: boolean;
  deviceRev: number;
  devices: string[];
  identity: string[];
}

/** In one statement, so that keys and revision match. */
export async function readKeys(db: ShardDb, owners: AccountId[]): Promise<AccountKeys[]> {
  const { rows } = await sql<AccountKeys>`
    select m.owner, m.frozen as "isFrozen", m.device_rev as "deviceRev",
      array(select k.keys from device_key k where k.owner = m.owner) as devices,
      array(select i.key from identity_key i where i.owner = m.owner) as identity
    from mailbox m where m.owner = any (${owners}::uuid[])`.execute(db);
  return rows;
}

export type Usage = 'master' | 'self_signing' | 'user_signing';

export async function listIdentityKeys(db: ShardDb, owner: AccountId): Promise<{ usage: Usage; key: string }[]> {
  return db.selectFrom('identity_key').select(['usage', 'key']).where('owner', '=', owner).execute();
}

export async function putIdentityKey(
  db: ShardDb,
  owner: AccountId,
  { usage, key, now }: { usage: Usage; key: string; now: number },
): Promise<void> {
  await db
    .insertInto('identity_key')
    .values({ owner, usage, key, created_at: now })
    .onConflict((conflict) => conflict.columns(['owner', 'usage']).doUpdateSet({ key, created_at: now }))
    .execute();
}

/** The same key with more signatures on it. */
export async function setMasterKey(db: ShardDb, owner: AccountId, key: string): Promise<void> {
  await db.updateTable('identity_key').set({ key }).where('owner', '=', owner).where('usage', '=', 'master').execute();
}

/**
 * When the account's self-signing key was created; undefined if that is unknown. It also counts as unknown if an identity is
 * archived: the previous version, which may still run, replaces the key without the time.
 */
export async function findSigningKeyCreatedAt(db: ShardDb, owner: AccountId): Promise<number | undefined> {
  const row = await db
    .selectFrom('identity_key')
    .select('created_at')
    .where('owner', '=', owner)
    .where('usage', '=', 'self_signing')
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom('identity_archive as a').select('a.owner').where('a.owner', '=', owner))),
    )
    .executeTakeFirst();
  return row?.created_at ?? undefined;
}

/** For keys from before this time was stored. */
export async function fillSigningKeyCreatedAt(db: ShardDb, owner: AccountId, now: number): Promise<void> {
  await db
    .updateTable('identity_key')
    .set({ created_at: now })
    .where('owner', '=', owner)
    .where('created_at', 'is', null)
    .execute();
}

export async function deleteIdentityKeys(db: ShardDb, owner: AccountId, usages: Usage[]): Promise<void> {
  if (usages.length === 0) return;
  await db.deleteFrom('identity_key').where('owner', '=', owner).where('usage', 'in', usages).execute();
}

export interface PersonSignature {
  target: AccountId;
  targetKey: string;
  signerKey: string;
  signature: string;
}

export async function putPersonSignature(db: ShardDb, owner: AccountId, signed: PersonSignature): Promise<void> {
  const { target, targetKey, signerKey, signature } = signed;
  await db
    .insertInto('person_signature')
    .values({ owner, target, target_key: targetKey, signer_key: signerKey, signature })
    .onConflict((conflict) =>
      conflict.columns(['owner', 'target', 'target_key', 'signer_key']).doUpdateSet({ signature }),
    )
    .execute();
}

export async function readPersonSignatures(db: ShardDb, owners: AccountId[], targets: AccountId[]) {
  const { rows } = await sql<{ owner: AccountId; isFrozen: boolean; signatures: PersonSignature[] }>`
    select m.owner, m.frozen as "isFrozen", coalesce((
      select json_agg(json_build_object(
        'target', s.target, 'targetKey', s.target_key, 'signerKey', s.signer_key, 'signature', s.signature
      )) from person_signature s where s.owner = m.owner and s.target = any (${targets}::uuid[])
    ), '[]') as signatures
    from mailbox m where m.owner = any (${owners}::uuid[])`.execute(db);
  return rows;
}

/** Serializes changes to what the devices of an account share. */
export async function lockSharedKeys(db: ShardDb, owner: AccountId): Promise<void> {
  await sql`select pg_advisory_xact_lock(7036, hashtext(${owner}))`.execute(db);
}

/** Keeps the session, and with it the device, from ending before this transaction does. */
export async function lockSessionDevice(db: ShardDb, owner: AccountId, session: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('session')
    .select('device')
    .where('owner', '=', owner)
    .where('id', '=', session)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row?.device;
}
