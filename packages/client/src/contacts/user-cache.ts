/** Names and master keys of the account's contacts, fetched for each new contact and once a day. */
import { type FoundUser, listUsers } from '@dostar/protocol/contract/contacts';
import type { Projection } from '@dostar/protocol/contract/profile';
import type { AccountId } from '@dostar/protocol/ids';
import { liveQuery } from 'dexie';
import { backoffMs, randomFraction } from '../lib/backoff.ts';
import { createWakeup } from '../lib/wakeup.ts';
import type { Db } from '../storage/open.ts';
import type { ClientDeps } from '../deps.ts';
import { callEndpoint } from '../net/http.ts';
import { listStaleUsers } from './store.ts';

const USER_CACHE_TTL_MS = 24 * 3_600_000;
const BATCH = 100;
const RETRY = { firstMs: 2_000, capMs: 300_000 };

export async function cacheUsers(db: Db, users: FoundUser[], at: number): Promise<void> {
  await db.users.bulkPut(users.map((user) => ({ account: user.id, user, at })));
}

/** Stores a name or photo that changed since the last fetch; null: the contact shows neither. */
export async function updateCachedProfile(db: Db, peer: AccountId, personal: Projection['personal']): Promise<void> {
  const name = personal && `${personal.name} ${personal.lastName}`.trim();
  await db.transaction('rw', [db.users], async () => {
    const row = await db.users.get(peer);
    // The operator sets an assistant's name.
    if (row === undefined || row.user.isAssistant) return;
    const { name: _, picture: __, ...user } = row.user;
    const face = { ...(name && { name }), ...(personal?.picture && { picture: personal.picture }) };
    await db.users.put({ ...row, user: { ...user, ...face } });
  });
}

/** Runs while connected. Never throws. */
export async function runUserRefresh(db: Db, deps: ClientDeps, signal: AbortSignal): Promise<void> {
  const wakeup = createWakeup(deps.clock, signal);
  const changes = liveQuery(() => listStaleUsers(db, deps.clock.now() - USER_CACHE_TTL_MS)).subscribe({
    next: (unnamed: AccountId[]) => unnamed.length > 0 && wakeup.trigger(),
    error: (error: unknown) => deps.log('names not watched', { error }),
  });
  let failures = 0;
  while (!signal.aborted) {
    const seen = wakeup.generation();
    const isDone = await refreshBatch(db, deps, signal).catch((error: unknown) => {
      deps.log('names not asked for', { error });
      return undefined;
    });
    failures = isDone === undefined ? failures + 1 : 0;
    if (isDone === undefined) await deps.clock.sleep(backoffMs(RETRY, failures, randomFraction(deps.random)), signal);
    else if (isDone) await wakeup.wait(seen, USER_CACHE_TTL_MS);
  }
  changes.unsubscribe();
}

/** Returns whether all users are fresh. */
async function refreshBatch(db: Db, deps: ClientDeps, signal: AbortSignal): Promise<boolean> {
  const now = deps.clock.now();
  const accounts = (await listStaleUsers(db, now - USER_CACHE_TTL_MS)).slice(0, BATCH);
  if (accounts.length === 0) return true;
  const { users } = await callEndpoint(deps, listUsers, { accounts }, signal);
  const found = new Map(users.map((user) => [user.id, user]));
  // Accounts that the server does not return are deleted or block this one; they are fetched again tomorrow.
  const known = await db.users.bulkGet(accounts);
  const all = accounts.map(
    (id, index) => found.get(id) ?? known[index]?.user ?? { id, username: null, publicKey: null },
  );
  await cacheUsers(db, all, now);
  return accounts.length < BATCH;
}
