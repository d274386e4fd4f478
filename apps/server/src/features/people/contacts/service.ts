/** Contacts: who may write to whom, and see whom. */
import type { ContactChanges, ContactState, Decision, SavedContact } from '@dostar/protocol/contract/contacts';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { listPrivacyOf } from '../privacy/service.ts';
import { admit, decide } from './rules.ts';
import type { Transition, ContactSide } from './rules.ts';
import { changeContactState, notifyPeer, toRecord } from './contact-state.ts';
import type { Change } from './contact-state.ts';
import { requireHead } from '../../messaging/mailbox/service.ts';
import { listOwnersWith, listPeersIn, listContactSides, listReadSharers } from './store.ts';
import type { ContactRow } from './store.ts';

/**
 * Of `accounts`, those whose keys `from` may query and to whose devices it may send (SPEC W1): itself, and accounts that
 * accept `from` or have a pending request from it.
 */
export async function listReachable(ctx: Context, from: AccountId, accounts: AccountId[]): Promise<AccountId[]> {
  const others = accounts.filter((account) => account !== from);
  const reachable = new Set(await listInState(ctx, from, others, ['accepted', 'asked']));
  const strangers = others.filter((account) => !reachable.has(account));
  // A shard that has given the account away has none of its contacts, and a message would be encrypted for no one.
  await Promise.allSettled(strangers.map((account) => requireHead(ctx, account)));
  for (const account of await listInState(ctx, from, strangers, ['accepted', 'asked'])) reachable.add(account);
  return accounts.filter((account) => account === from || reachable.has(account));
}

/** Accounts that may query the keys of `owner`, and so have to learn when they change. */
export async function listKeyWatchers(ctx: Context, owner: AccountId): Promise<AccountId[]> {
  // `write` holds the bucket, so that a shard which has given the account away is not asked.
  return ctx.shards.withCurrentShard(() =>
    ctx.shards.of(owner).write(owner, (db) => listPeersIn(db, owner, ['accepted', 'asked'])),
  );
}

/** Whether `owner` accepts messages from `peer` without a request. */
export async function doesAccept(ctx: Context, owner: AccountId, peer: AccountId): Promise<boolean> {
  return (await listInState(ctx, peer, [owner], ['accepted'])).length > 0;
}

export async function canReach(ctx: Context, from: AccountId, to: AccountId): Promise<boolean> {
  return (await listReachable(ctx, from, [to])).length > 0;
}

/** Of `accounts`, those that show `viewer` when they were last online (SPEC R6). */
export async function listShowingLastSeen(
  ctx: Context,
  viewer: AccountId,
  accounts: AccountId[],
): Promise<AccountId[]> {
  const groups = [...ctx.shards.group(accounts, (account) => account)];
  const sides = (
    await Promise.all(groups.map(([shard, owners]) => shard.query((db) => listContactSides(db, owners, viewer))))
  ).flat();
  const accepting = sides.filter((side) => side.state === 'accepted');
  const choices = await listPrivacyOf(
    ctx,
    accepting.map((side) => side.owner),
  );
  return accepting.flatMap(({ owner, peerAccepts }) => {
    const choice = choices.get(owner)?.lastSeen;
    return choice === 'everybody' || (choice === 'contacts' && peerAccepts) ? [owner] : [];
  });
}

/** The status of an account as a viewer sees it; contacts have accepted each other. */
export type ContactStatus = 'self' | 'contact' | 'blocked' | 'stranger';

export async function listContactStatuses(
  ctx: Context,
  viewer: AccountId,
  accounts: AccountId[],
): Promise<Map<AccountId, ContactStatus>> {
  const groups = [...ctx.shards.group(accounts, (account) => account)];
  const found = await Promise.all(
    groups.map(([shard, owners]) => shard.query((db) => listContactSides(db, owners, viewer))),
  );
  const sides = new Map(found.flat().map((side) => [side.owner, side]));
  return new Map(
    accounts.map((account) => {
      const side = sides.get(account);
      if (account === viewer) return [account, 'self'];
      if (side?.state === 'blocked') return [account, 'blocked'];
      return [account, side?.state === 'accepted' && side.peerAccepts ? 'contact' : 'stranger'];
    }),
  );
}

/** Whether `to` may see that `from` types: both accept each other, and neither has switched it off for the other or for all. */
export async function showsTyping(ctx: Context, from: AccountId, to: AccountId): Promise<boolean> {
  const choices = await listPrivacyOf(ctx, [from, to]);
  if (![...choices.values()].every(({ typing }) => typing)) return false;
  const sides = await Promise.all([
    ctx.shards.of(from).query((db) => listContactSides(db, [from], to)),
    ctx.shards.of(to).query((db) => listContactSides(db, [to], from)),
  ]);
  return sides.every(([side]) => side?.state === 'accepted' && side.typing);
}

/** Of these pairs, those whose owner sends the peer read receipts. */
export async function listSharingReads(
  ctx: Context,
  pairs: { owner: AccountId; peer: AccountId }[],
): Promise<{ owner: AccountId; peer: AccountId }[]> {
  const groups = [...ctx.shards.group(pairs, (pair) => pair.owner)];
  const found = await Promise.all(groups.map(([shard, some]) => shard.query((db) => listReadSharers(db, some))));
  const telling = found.flat();
  const choices = await listPrivacyOf(
    ctx,
    telling.map(({ owner }) => owner),
  );
  return telling.filter(({ owner }) => choices.get(owner)?.receipts !== false);
}

async function listInState(
  ctx: Context,
  peer: AccountId,
  accounts: AccountId[],
  states: ContactState[],
): Promise<AccountId[]> {
  const groups = [...ctx.shards.group(accounts, (account) => account)];
  const found = await Promise.all(
    groups.map(([shard, owners]) => shard.query((db) => listOwnersWith(db, owners, peer, states))),
  );
  return found.flat();
}

/** Applies a decision about `peer` to `owner`'s side and delivers the statement to the other side. */
export async function decideContact(
  ctx: Context,
  owner: AccountId,
  peer: AccountId,
  decision: Decision,
  act?: string,
): Promise<SavedContact> {
  const change = { owner, peer, run: (side: ContactSide) => decide(side, decision) };
  return decideAndNotify(ctx, act === undefined ? change : { ...change, act });
}

/** For operators and tests: sets the state, whatever it was. */
export async function setContact(
  ctx: Context,
  owner: AccountId,
  peer: AccountId,
  state: 'accepted' | 'blocked',
): Promise<void> {
  const run = (side: ContactSide): Transition =>
    state === 'blocked' ? decide(side, 'block') : decide(decide(side, 'unblock').side, 'accept');
  await decideAndNotify(ctx, { owner, peer, run });
}

/** The owner's preferences for a contact; `not_found` for an account that is no contact. */
export async function changeContact(
  ctx: Context,
  owner: AccountId,
  peer: AccountId,
  changes: ContactChanges,
  act: string,
): Promise<SavedContact> {
  const changed = await changeContactState(ctx, {
    owner,
    peer,
    act,
    run(row) {
      if (row.state === 'none') throw new AppError('not_found');
      const named = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
      const next = { ...row, ...named };
      return { side: next, row: next };
    },
  });
  return toSavedContact(changed.row, changed.rev);
}

/**
 * `owner` has invited `peer`. `useInvite` throws if the invite does not hold, in the transaction that counts it, and
 * answers whether it is `peer`'s first use of it.
 */
export async function admitContact(
  ctx: Context,
  owner: AccountId,
  peer: AccountId,
  act: string,
  useInvite: (db: ShardDb) => Promise<boolean>,
): Promise<void> {
  await decideAndNotify(ctx, {
    owner,
    peer,
    act,
    async run(row, db) {
      const outcome = admit(row, await useInvite(db));
      if (!outcome) throw new AppError('invite_gone');
      return outcome;
    },
  });
}

async function decideAndNotify(ctx: Context, change: Change): Promise<SavedContact> {
  const { row, rev, pending } = await changeContactState(ctx, change);
  if (pending) {
    // The decision stands: if the other shard is down, the worker delivers the statement later.
    await notifyPeer(ctx, pending).catch((error: unknown) => ctx.log.debug({ err: error }, 'other side not told yet'));
  }
  return toSavedContact(row, rev);
}

function toSavedContact(row: ContactRow, rev: number | undefined): SavedContact {
  return { contact: toRecord(row), ...(rev !== undefined && { rev }) };
}
