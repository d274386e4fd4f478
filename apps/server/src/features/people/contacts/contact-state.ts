/**
 * Changes to one side of a contact, and how the other side learns of them.
 *
 * Promise: a decision and its pending statement are one transaction on the decider's shard. The statement is applied to the
 * other side in a transaction of its own; after a crash in between, the worker does it. Applying it twice changes nothing
 * (rules.ts, `turn`).
 */
import { DEFAULT_SERVER_PREFERENCES } from '@dostar/protocol/contract/contact-preferences';
import { contactKey, ContactRecord } from '@dostar/protocol/contract/contacts';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { ShardDb } from '../../../platform/postgres/pools.ts';
import { holdMailbox, setRegisterInTransaction, publishDelivered } from '../../messaging/mailbox/service.ts';
import { takesRequests, visibilitySubject } from '../privacy/service.ts';
import { applyStatement, type Transition, type Statement, STRANGER } from './rules.ts';
import {
  type ContactRow,
  countInState,
  deletePendingStatement,
  findContact,
  type PendingStatement,
  putContact,
  putPendingStatement,
} from './store.ts';

/** Retries come within minutes; no user does more than this to one contact meanwhile. */
const MAX_REMEMBERED_ACTIONS = 32;
/** More requests than a user reads: a flood of them does not fill a mailbox with registers (rules.ts, `applyStatement`). */
const MAX_REQUESTS = 1_000;

const UNKNOWN_CONTACT: ContactRow = {
  ...STRANGER,
  ...DEFAULT_SERVER_PREFERENCES,
  acts: [],
  since: 0,
};

export interface Change {
  owner: AccountId;
  peer: AccountId;
  /** The id of the action, which a repeat has too (SPEC W4). */
  act?: string;
  run: (
    row: ContactRow,
    db: ShardDb,
  ) => Promise<Transition & { row?: ContactRow }> | (Transition & { row?: ContactRow });
}

export interface Changed {
  row: ContactRow;
  /** Of its register, if that changed. */
  rev?: number;
  pending?: PendingStatement;
}

/** Changes one side, informs its devices and records the pending statement to the other side. Returns the side as it is now. */
export async function changeContactState(ctx: Context, change: Change): Promise<Changed> {
  const { owner, peer, act } = change;
  return ctx.shards.withCurrentShard(async () => {
    const shard = ctx.shards.of(owner);
    let publish: (() => void) | undefined;
    const result = await shard.write(owner, async (db): Promise<Changed> => {
      await holdMailbox(db, shard, owner);
      const known = await findContact(db, owner, peer);
      const old = known ?? UNKNOWN_CONTACT;
      if (act !== undefined && old.acts.includes(act)) return { row: old };
      const { side, says, row = old } = await change.run(old, db);
      const now = ctx.clock.now();
      const next: ContactRow = {
        ...row,
        ...side,
        acts: act === undefined ? old.acts : [...old.acts, act].slice(-MAX_REMEMBERED_ACTIONS),
        since: side.state === old.state ? old.since : now,
      };
      if (next.acts === old.acts && isSame(old, next)) return { row: old };
      await putContact(db, owner, peer, next);
      const write = { owner, key: contactKey(peer), mark: null, value: toValue(next) };
      const kept = await setRegisterInTransaction(ctx, db, shard, write);
      publish = kept.publish;
      const changed = { row: next, ...(kept.rev !== undefined && { rev: kept.rev }) };
      if (!says) return changed;
      const pending = { owner, peer, ...says };
      await putPendingStatement(db, pending, now);
      return { ...changed, pending };
    });
    publish?.();
    if (publish) ctx.bus.publish(visibilitySubject(owner), '');
    return result;
  });
}

/** Delivers a pending statement and deletes it, and delivers the statement with which the other side may answer. */
export async function notifyPeer(ctx: Context, pending: PendingStatement): Promise<void> {
  const { owner, peer } = pending;
  const answer = await applyPeerStatement(ctx, peer, owner, pending);
  if (pending.accepts) await publishDelivered(ctx, owner, peer);
  await ctx.shards.withCurrentShard(() =>
    ctx.shards.of(owner).write(owner, (db) => deletePendingStatement(db, pending)),
  );
  if (answer) await notifyPeer(ctx, answer);
}

async function applyPeerStatement(
  ctx: Context,
  owner: AccountId,
  peer: AccountId,
  said: Statement,
): Promise<PendingStatement | undefined> {
  const { pending } = await changeContactState(ctx, {
    owner,
    peer,
    async run(row, db) {
      const isAllowed =
        row.state !== 'none' ||
        ((await takesRequests(db, owner)) && (await countInState(db, owner, 'asked')) < MAX_REQUESTS);
      return applyStatement(row, said, isAllowed);
    },
  });
  return pending;
}

function isSame(one: ContactRow, other: ContactRow): boolean {
  return (Object.keys(one) as (keyof ContactRow)[]).every((key) => Object.is(one[key], other[key]));
}

function toValue(row: ContactRow): Buffer {
  return Buffer.from(JSON.stringify(toRecord(row)));
}

export function toRecord(row: ContactRow): ContactRecord {
  return ContactRecord.parse(row);
}
