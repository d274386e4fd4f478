import * as contract from '@dostar/protocol/contract/contacts';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { RateLimit } from '../../../platform/concurrency/rate-limits.ts';
import { findAssistant, listLabels } from '../../operations/assistants/service.ts';
import { notifyDeviceList } from '../../encryption/device-lists/service.ts';
import { requireHead } from '../../messaging/mailbox/service.ts';
import { listProfileCards } from '../profiles/service.ts';
import { findAccountByUsername } from '../../identity/usernames/service.ts';
import { listCardsOf } from '../users/service.ts';
import { listContactUsers } from './list.ts';
import { changeContact, decideContact, listReachable } from './service.ts';
import { findContact } from './store.ts';

/** A user looks for a few friends; a sweep tries thousands of names, from one account or from many at one address. */
const FINDS: RateLimit = { name: 'find-user', points: 30, perSeconds: 3_600, scope: 'shared' };
const FINDS_PER_ADDRESS: RateLimit = { name: 'find-user-address', points: 200, perSeconds: 3_600, scope: 'shared' };
/** Requests to strangers; accepting a request is not counted. */
const ADDS: RateLimit = { name: 'add-contact', points: 60, perSeconds: 24 * 3_600, scope: 'shared' };
const CHANGES: RateLimit = { name: 'contact-changes', points: 240, perSeconds: 60, scope: 'process' };
const LISTS: RateLimit = { name: 'contact-lists', points: 60, perSeconds: 60, scope: 'process' };

export function contactRoutes(http: Http, ctx: Context): void {
  http.add(contract.findUser, {
    summary: 'Finds an account by its username',
    limit: FINDS,
    async handle({ body, caller, address }) {
      await ctx.limits.charge(FINDS_PER_ADDRESS, address);
      const { username } = body;
      const account =
        (await findAssistant(ctx, username, caller.account)) ?? (await findAccountByUsername(ctx, username));
      if (account === undefined) throw new AppError('not_found');
      const [user] = await describeUsers(ctx, caller.account, [account]);
      return { user: user! };
    },
  });
  http.add(contract.decideContact, {
    summary: 'Accepts, declines, removes, blocks or unblocks an account',
    limit: CHANGES,
    async handle({ body, caller }) {
      const { act, peer, decision } = body;
      if (peer === caller.account) throw new AppError('forbidden');
      if (decision === 'accept') await requireMayAdd(ctx, caller.account, peer);
      const decided = await decideContact(ctx, caller.account, peer, decision, act);
      if (decision === 'accept' || decision === 'unblock') await showDevices(ctx, caller.account, peer);
      return decided;
    },
  });
  http.add(contract.changeContact, {
    summary: 'Changes the preferences of a contact',
    limit: CHANGES,
    handle: ({ body, caller }) => changeContact(ctx, caller.account, body.peer, body.changes, body.act),
  });
  http.add(contract.getContacts, {
    summary: 'Lists contacts and message requests with their last messages',
    limit: LISTS,
    handle: async ({ caller }) => ({ users: await listContactUsers(ctx, caller.account) }),
  });
  http.add(contract.listUsers, {
    summary: 'Returns the public facts of accounts',
    limit: LISTS,
    async handle({ body, caller }) {
      const reachable = await listReachable(ctx, caller.account, body.accounts);
      return { users: await describeUsers(ctx, caller.account, reachable) };
    },
  });
}

/** Adding an unknown account sends a request: it must exist, and requests are rate-limited. */
async function requireMayAdd(ctx: Context, owner: AccountId, peer: AccountId): Promise<void> {
  const known = await ctx.shards.of(owner).query((db) => findContact(db, owner, peer));
  if (known && (known.state !== 'none' || known.peerAccepts)) return;
  await ctx.limits.charge(ADDS, owner);
  await requireHead(ctx, peer);
}

/**
 * A peer that could not see the owner's devices before has none of them: tells it to query again. If the hint is lost, the
 * peer's next message is refused for its old device list, and it queries then.
 */
async function showDevices(ctx: Context, owner: AccountId, peer: AccountId): Promise<void> {
  try {
    await notifyDeviceList(ctx, await listReachable(ctx, owner, [peer]), owner, 'changed');
  } catch (error) {
    ctx.log.debug({ err: error }, 'contact not told of devices');
  }
}

async function describeUsers(ctx: Context, viewer: AccountId, accounts: AccountId[]): Promise<contract.FoundUser[]> {
  const [cards, profiles, label] = await Promise.all([
    listCardsOf(ctx, accounts),
    listProfileCards(ctx, viewer, accounts),
    listLabels(ctx, viewer),
  ]);
  return accounts.map((id) => {
    const card = cards.get(id);
    const { username = null, publicKey = null } = card ?? {};
    return { id, username, publicKey, ...profiles.get(id), ...label(id, card) };
  });
}
