/** Who may write to whom, and see whom. */
import type { ContactChanges, ContactState, Decision, KeptContact } from '@dostar/protocol/contract/contacts';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { listPrivacyOf } from '../privacy/service.ts';
import { admit, decide } from './rules.ts';
import type { Outcome, Side } from './rules.ts';
import { changeSide, tellOther, toRecord } from './sides.ts';
import type { Change } from './sides.ts';
import { requireHead } from '../../messaging/mailbox/service.ts';
import { listOwnersWith, listPeersIn, listSides, listTellingReads } from './store.ts';
import type { ContactRow } from './store.ts';

/**
 * Of `accounts`, those whose keys `from` may ask for and to whose devices it may send: contacts and the parties of a
 * request, which each accept the other or have been asked by them; and itself.
 */
export async function listReachable(ctx: Context, from: AccountId, accounts: AccountId[]): Promise<AccountId[]> {
  const others = accounts.filter((account) => account !== from);
  const reachable = new Set(await listInState(ctx, from, others, ['accepted', 'asked']));
  const strangers = others.filter((account) => !reachable.has(account));
  // A shard that has given somebody away knows nothing of their friends, and a message would be sealed for nobody.
  await Promise.allSettled(strangers.map((account) => requireHead(ctx, account)));
  for (const account of await listInState(ctx, from, strangers, ['accepted', 'asked'])) reachable.add(account);
  return accounts.filter((account) => account === from || reachable.has(account));
}

/** Those who may ask for the keys of `owner`, and so want to know when they change. */
export async function listListeners(ctx: Context, owner: AccountId): Promise<AccountId[]> {
  // Held, so that it is not asked of a shard that has given the account away: to that one nobody listens.
  return ctx.shards.follow(() =>
    ctx.shards.of(owner).write(owner, (db) => listPeersIn(db, owner, ['accepted', 'asked'])),
  );
}

/** Whether `owner` takes mail from `peer` without asking first. */
export async function doesAccept(ctx: Context, owner: AccountId, peer: AccountId): Promise<boolean> {
  return (await listInState(ctx, peer, [owner], ['accepted'])).length > 0;
}

export async function mayReach(ctx: Context, from: AccountId, to: AccountId): Promise<boolean> {
  return (await listReachable(ctx, from, [to])).length > 0;
}

/** Of `accounts`, those that show `viewer` when they were last here (SPEC R6). */
export async function listShowingLastSeen(
  ctx: Context,
  viewer: AccountId,
  accounts: AccountId[],
): Promise<AccountId[]> {
  const groups = [...ctx.shards.group(accounts, (account) => account)];
  const sides = (
    await Promise.all(groups.map(([shard, owners]) => shard.query((db) => listSides(db, owners, viewer))))
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

/** How an account stands to somebody who looks at it: contacts accept each other. */
export type Standing = 'self' | 'contact' | 'blocked' | 'stranger';

export async function listStandings(
  ctx: Context,
  viewer: AccountId,
  accounts: AccountId[],
): Promise<Map<AccountId, Standing>> {
  const groups = [...ctx.shards.group(accounts, (account) => account)];
  const found = await Promise.all(groups.map(([shard, owners]) => shard.query((db) => listSides(db, owners, viewer))));
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

/** Whether `to` is shown that `from` types: both accept each other, and neither has switched it off for the other or for all. */
export async function mayShowTyping(ctx: Context, from: AccountId, to: AccountId): Promise<boolean> {
  const choices = await listPrivacyOf(ctx, [from, to]);
  if (![...choices.values()].every(({ typing }) => typing)) return false;
  const sides = await Promise.all([
    ctx.shards.of(from).query((db) => listSides(db, [from], to)),
    ctx.shards.of(to).query((db) => listSides(db, [to], from)),
  ]);
  return sides.every(([side]) => side?.state === 'accepted' && side.typing);
}

/** Of these pairs, those where the owner tells the peer what was read. */
export async function listTellingReadsOf(
  ctx: Context,
  pairs: { owner: AccountId; peer: AccountId }[],
): Promise<{ owner: AccountId; peer: AccountId }[]> {
  const groups = [...ctx.shards.group(pairs, (pair) => pair.owner)];
  const found = await Promise.all(groups.map(([shard, some]) => shard.query((db) => listTellingReads(db, some))));
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

/** Decides about `peer` on `owner`'s side and tells the other side what concerns it. */
export async function decideContact(
  ctx: Context,
  owner: AccountId,
  peer: AccountId,
  decision: Decision,
  act?: string,
): Promise<KeptContact> {
  const change = { owner, peer, run: (side: Side) => decide(side, decision) };
  return decideAndTell(ctx, act === undefined ? change : { ...change, act });
}

/** What an operator or a test wants to be so, whatever was before. */
export async function setContact(
  ctx: Context,
  owner: AccountId,
  peer: AccountId,
  state: 'accepted' | 'blocked',
): Promise<void> {
  const run = (side: Side): Outcome =>
    state === 'blocked' ? decide(side, 'block') : decide(decide(side, 'unblock').side, 'accept');
  await decideAndTell(ctx, { owner, peer, run });
}

/** How the owner keeps a contact; `not_found` for somebody they have nothing to do with. */
export async function changeContact(
  ctx: Context,
  owner: AccountId,
  peer: AccountId,
  changes: ContactChanges,
  act: string,
): Promise<KeptContact> {
  const changed = await changeSide(ctx, {
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
  return toKept(changed.row, changed.rev);
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
  await decideAndTell(ctx, {
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

async function decideAndTell(ctx: Context, change: Change): Promise<KeptContact> {
  const { row, rev, owed } = await changeSide(ctx, change);
  if (owed) {
    // Decided is decided: a shard that is away hears of it from the worker.
    await tellOther(ctx, owed).catch((error: unknown) => ctx.log.debug({ err: error }, 'other side not told yet'));
  }
  return toKept(row, rev);
}

function toKept(row: ContactRow, rev: number | undefined): KeptContact {
  return { contact: toRecord(row), ...(rev !== undefined && { rev }) };
}
