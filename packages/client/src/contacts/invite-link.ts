/**
 * Invite links: read, stored while the invited person signs up, and redeemed after that.
 *
 * Token and fingerprint are in the fragment, which browsers never send. The client pins the fingerprint before it asks
 * the server for the inviter, and compares any key that the server names later with it (SPEC I5).
 */
import { INVITE_PATH } from '@dostar/protocol/contract/invite-tokens';
import { redeemInvite } from '@dostar/protocol/contract/invites';
import { type FoundUser } from '@dostar/protocol/contract/contacts';
import { AppError } from '@dostar/protocol/errors';
import { AccountId } from '@dostar/protocol/ids';
import { z } from 'zod';
import { openDb } from '../storage/open.ts';
import type { ClientDeps } from '../deps.ts';
import { newMessageId } from '../messages/send/message-id.ts';
import { fromBase64Url } from '../net/base64.ts';
import { callEndpoint } from '../net/http.ts';
import { fingerprintOf } from './fingerprint.ts';
import { INVITE_KEY } from './invite-key.ts';
import { cacheUsers } from './user-cache.ts';

const Invitation = z.object({
  token: z.base64url().length(43),
  fingerprint: z.base64url().length(22),
});
export type Invitation = z.infer<typeof Invitation>;

/** After a day the stored invite expires, and the person has to open the link again. */
const INVITE_TTL_MS = 24 * 3_600_000;

const StoredInvite = Invitation.extend({ act: z.uuid(), at: z.number() });

/** The part of `localStorage` that is needed. A phone may discard the tab during sign-up; `localStorage` stays. */
export interface InviteStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

export function makeInviteLink(origin: string, token: string, fingerprint: string): string {
  const link = new URL(INVITE_PATH, origin);
  link.hash = `${token}.${fingerprint}`;
  return link.href;
}

/** From `#token.fingerprint`, a link, or the text of a QR code; undefined for any other text. */
export function readInvite(text: string): Invitation | undefined {
  const [token, fingerprint, ...rest] = text.slice(text.indexOf('#') + 1).split('.');
  return rest.length > 0 ? undefined : Invitation.safeParse({ token, fingerprint }).data;
}

/** Stores one idempotency key (`act`) with the invite, so that repeated calls redeem it once. */
export function storeInvite(storage: InviteStorage, invitation: Invitation, now: number): void {
  const known = findInvite(storage, now);
  if (known?.token === invitation.token) return;
  const act = newMessageId(now, (size) => crypto.getRandomValues(new Uint8Array(size)));
  storage.setItem(INVITE_KEY, JSON.stringify({ ...invitation, act, at: now }));
}

export interface RedeemedInvite {
  user: FoundUser;
  /** Whether the inviter's key on the server is the one that the link named; undefined if the server has none yet. */
  isSameKey: boolean | undefined;
}

type RedeemDeps = Pick<ClientDeps, 'account' | 'baseUrl' | 'fetch' | 'clock' | 'indexedDB' | 'IDBKeyRange'>;

/** Redeems the stored invite, if there is one. Throws the server's error; deletes an invite that can't be redeemed. */
export async function redeemStoredInvite(
  storage: InviteStorage,
  deps: RedeemDeps,
  signal: AbortSignal,
): Promise<RedeemedInvite | undefined> {
  const stored = findInvite(storage, deps.clock.now());
  if (stored === undefined) {
    storage.removeItem(INVITE_KEY);
    return undefined;
  }
  try {
    const welcome = await redeem(stored, deps, signal);
    storage.removeItem(INVITE_KEY);
    return welcome;
  } catch (error) {
    if (error instanceof AppError && FINAL.has(error.code)) storage.removeItem(INVITE_KEY);
    throw error;
  }
}

const FINAL = new Set<AppError['code']>(['invite_gone', 'forbidden', 'invalid_request']);

async function redeem(
  stored: z.infer<typeof StoredInvite>,
  deps: RedeemDeps,
  signal: AbortSignal,
): Promise<RedeemedInvite> {
  const { token, fingerprint, act } = stored;
  const inviter = inviterOf(token);
  const now = deps.clock.now();
  const db = openDb(deps);
  try {
    // The first link counts: a second link that names another key for the same person changes nothing.
    const pin = await db.pins.get(inviter);
    if (pin === undefined) await db.pins.put({ account: inviter, fingerprint, source: 'invite', at: now });
    const { user } = await callEndpoint(deps, redeemInvite, { act, token }, signal);
    if (user.id !== inviter) throw new AppError('invite_gone');
    await cacheUsers(db, [user], now);
    const named = user.publicKey === null ? undefined : await fingerprintOf(user.publicKey);
    return { user, isSameKey: named === undefined ? undefined : named === (pin?.fingerprint ?? fingerprint) };
  } finally {
    db.close();
  }
}

function findInvite(storage: InviteStorage, now: number): z.infer<typeof StoredInvite> | undefined {
  try {
    const stored = StoredInvite.parse(JSON.parse(storage.getItem(INVITE_KEY) ?? 'null'));
    return now - stored.at < INVITE_TTL_MS ? stored : undefined;
  } catch {
    return undefined;
  }
}

/** The token begins with the id of the account that made it. */
function inviterOf(token: string): AccountId {
  const hex = Array.from(fromBase64Url(token).subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  const account = AccountId.safeParse(id);
  if (!account.success) throw new AppError('invite_gone');
  return account.data;
}
