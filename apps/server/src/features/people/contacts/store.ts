import type { ServerPreferences } from '@dostar/protocol/contract/contact-preferences';
import type { ContactState } from '@dostar/protocol/contract/contacts';
import type { AccountId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { PREFERENCE_SELECTION, toPreferenceColumns } from '../../../platform/postgres/tables/preference-columns.ts';

/** One side of a contact, with the owner's preferences for it. */
export interface ContactRow extends ServerPreferences {
  state: ContactState;
  beforeBlock: Exclude<ContactState, 'blocked'>;
  peerAccepts: boolean;
  turn: number;
  peerTurn: number;
  acts: string[];
  since: number;
}

const COLUMNS = [
  'state',
  'before_block as beforeBlock',
  'peer_accepts as peerAccepts',
  'turn',
  'peer_turn as peerTurn',
  'acts',
  'since',
  ...PREFERENCE_SELECTION,
] as const;

export async function findContact(db: ShardDb, owner: AccountId, peer: AccountId): Promise<ContactRow | undefined> {
  return db
    .selectFrom('contact')
    .select(COLUMNS)
    .where('owner', '=', owner)
    .where('peer', '=', peer)
    .executeTakeFirst();
}

export async function putContact(db: ShardDb, owner: AccountId, peer: AccountId, row: ContactRow): Promise<void> {
  const { state, beforeBlock, peerAccepts, turn, peerTurn, acts, since } = row;
  const values = {
    state,
    before_block: beforeBlock,
    peer_accepts: peerAccepts,
    turn,
    peer_turn: peerTurn,
    acts,
    since,
    ...toPreferenceColumns(row),
  };
  await db
    .insertInto('contact')
    .values({ owner, peer, ...values })
    .onConflict((conflict) => conflict.columns(['owner', 'peer']).doUpdateSet(values))
    .execute();
}

/** The sides of `owners` towards `peer`, of those that have one. */
export async function listContactSides(
  db: ShardDb,
  owners: AccountId[],
  peer: AccountId,
): Promise<(Pick<ContactRow, 'state' | 'peerAccepts' | 'typing'> & { owner: AccountId })[]> {
  const rows = await db
    .selectFrom('contact')
    .select(['owner', 'state', 'peer_accepts as peerAccepts', 'typing'])
    .where('owner', '=', sql<string>`any(${owners}::uuid[])`)
    .where('peer', '=', peer)
    .execute();
  return rows.map((row) => ({ ...row, owner: row.owner as AccountId }));
}

/** Pairs of an owner and a peer where the owner sends the peer read receipts. */
export async function listReadSharers(
  db: ShardDb,
  pairs: { owner: AccountId; peer: AccountId }[],
): Promise<{ owner: AccountId; peer: AccountId }[]> {
  const { rows } = await sql<{ owner: AccountId; peer: AccountId }>`
    select c.owner, c.peer
    from unnest(${pairs.map((pair) => pair.owner)}::uuid[], ${pairs.map((pair) => pair.peer)}::uuid[]) as p (owner, peer)
    join contact c on c.owner = p.owner and c.peer = p.peer
    where c.state = 'accepted' and c.receipts`.execute(db);
  return rows;
}

/** The newest contacts and requests of an account. */
export async function listContacts(
  db: ShardDb,
  owner: AccountId,
  limit: number,
): Promise<(ContactRow & { peer: AccountId })[]> {
  const rows = await db
    .selectFrom('contact')
    .select([...COLUMNS, 'peer'])
    .where('owner', '=', owner)
    .where('state', 'in', ['accepted', 'asked'])
    .orderBy('since', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, peer: row.peer as AccountId }));
}

/** Of `owners`, those whose side towards `peer` is in one of `states`. */
export async function listOwnersWith(
  db: ShardDb,
  owners: AccountId[],
  peer: AccountId,
  states: ContactState[],
): Promise<AccountId[]> {
  const rows = await db
    .selectFrom('contact')
    .select('owner')
    .where('owner', '=', sql<string>`any(${owners}::uuid[])`)
    .where('peer', '=', peer)
    .where('state', 'in', states)
    .execute();
  return rows.map((row) => row.owner as AccountId);
}

/** Accounts towards which `owner`'s side is in one of `states`. */
export async function listPeersIn(db: ShardDb, owner: AccountId, states: ContactState[]): Promise<AccountId[]> {
  const rows = await db
    .selectFrom('contact')
    .select('peer')
    .where('owner', '=', owner)
    .where('state', 'in', states)
    .execute();
  return rows.map((row) => row.peer as AccountId);
}

export async function countInState(db: ShardDb, owner: AccountId, state: ContactState): Promise<number> {
  const row = await db
    .selectFrom('contact')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('owner', '=', owner)
    .where('state', '=', state)
    .executeTakeFirstOrThrow();
  return row.count;
}

export interface PendingStatement {
  owner: AccountId;
  peer: AccountId;
  turn: number;
  accepts: boolean;
  isInvited: boolean;
}

/** A newer statement takes the place of one that was not delivered: only the last counts. */
export async function putPendingStatement(db: ShardDb, pending: PendingStatement, since: number): Promise<void> {
  const { owner, peer, turn, accepts, isInvited: invited } = pending;
  const values = { turn, accepts, invited, since };
  await db
    .insertInto('contact_owed')
    .values({ owner, peer, ...values })
    .onConflict((conflict) => conflict.columns(['owner', 'peer']).doUpdateSet(values))
    .execute();
}

export async function deletePendingStatement(db: ShardDb, { owner, peer, turn }: PendingStatement): Promise<void> {
  await db
    .deleteFrom('contact_owed')
    .where('owner', '=', owner)
    .where('peer', '=', peer)
    .where('turn', '=', turn)
    .execute();
}

export async function listPendingStatements(db: ShardDb, before: number, limit: number): Promise<PendingStatement[]> {
  const rows = await db
    .selectFrom('contact_owed')
    .select(['owner', 'peer', 'turn', 'accepts', 'invited as isInvited'])
    .where('since', '<', before)
    .orderBy('since')
    .limit(limit)
    .execute();
  return rows as PendingStatement[];
}
