/** Identities of contacts: compares their present master keys with the account's trust list. */
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import type { OtherUserIdentity, OwnUserIdentity } from '@matrix-org/matrix-sdk-crypto-wasm';
import { fingerprintOf } from '../../contacts/fingerprint.ts';
import { isTrusted, type TrustDecision } from '../../trust/trust-list.ts';
import type { TrustStore } from '../../trust/trust-store.ts';
import type { Engine } from '../engine/engine.ts';
import type { Identity } from '../sealing/sealer.ts';

export interface IdentityDeps {
  engine: Engine;
  trust: TrustStore;
}

type AnyIdentity = OwnUserIdentity | OtherUserIdentity;

export async function readIdentity({ engine, trust }: IdentityDeps, account: AccountId): Promise<Identity> {
  using identity = await engine.machine.getIdentity(engine.user(account));
  if (identity === undefined) return 'unknown';
  const entry = trust.entryOf(account);
  if (entry?.key === undefined) {
    if (!trust.isLoaded()) return 'unknown';
    if (identity.hasVerificationViolation()) return 'withdrawn';
    if (trust.isBehind() || needsApproval(identity)) return 'changed';
    return identity.isVerified() ? 'verified' : 'known';
  }
  if (!isTrusted(entry, keyOf(identity))) return entry.isVerified ? 'withdrawn' : 'changed';
  if (entry.isVerified || identity.isVerified()) return 'verified';
  return entry.pin === undefined ? 'known' : 'invited';
}

/**
 * Adds an identity to the trust list as first seen if the list has none, and as verified if the person verified it.
 * Call it whenever the engine or the trust list has learned something about the account.
 */
export async function noteIdentity({ engine, trust }: IdentityDeps, account: AccountId): Promise<void> {
  if (account === engine.account || !trust.isLoaded()) return;
  using identity = await engine.machine.getIdentity(engine.user(account));
  if (identity === undefined) return;
  const key = keyOf(identity);
  const entry = trust.entryOf(account);
  const isFirst = entry?.key === undefined;
  if (isFirst && (trust.isBehind() || isDoubted(identity))) return;
  if (entry?.key === key && isDoubted(identity)) await settleIdentity(identity);
  // A former identity may still carry this account's signature, which no longer verifies it.
  const isConfirmed = identity.isVerified() && entry?.former.includes(key) !== true;
  const isKnown = entry?.key === key && entry.isVerified;
  const about = { account, key, fingerprint: await fingerprintOf(key) };
  const decisions: TrustDecision[] = [];
  if (isFirst) decisions.push({ kind: 'seen', ...about });
  if (isConfirmed && !isKnown) decisions.push({ kind: 'verified', ...about });
  if (decisions.length > 0) await trust.decide(decisions);
}

/** The person accepts the present identity; a verification of the former one is withdrawn. */
export async function acceptIdentity({ engine, trust }: IdentityDeps, account: AccountId): Promise<void> {
  using identity = await engine.machine.getIdentity(engine.user(account));
  if (identity === undefined) throw new AppError('not_found');
  await settleIdentity(identity);
  const key = keyOf(identity);
  await trust.decide([{ kind: 'accepted', account, key, fingerprint: await fingerprintOf(key) }]);
}

/** The public master key, which an invite pins and a user document names. */
export async function readMasterKey({ machine, user }: Engine, account: AccountId): Promise<string | undefined> {
  using identity = await machine.getIdentity(user(account));
  return identity && keyOf(identity);
}

/** Clears the engine's own warnings about this identity, because the trust list decides. */
async function settleIdentity(identity: AnyIdentity): Promise<void> {
  if (identity.hasVerificationViolation()) await identity.withdrawVerification();
  if (needsApproval(identity)) await (identity as OtherUserIdentity).pinCurrentMasterKey();
}

function isDoubted(identity: AnyIdentity): boolean {
  return identity.hasVerificationViolation() || needsApproval(identity);
}

function needsApproval(identity: AnyIdentity): boolean {
  return 'identityNeedsUserApproval' in identity && identity.identityNeedsUserApproval();
}

function keyOf(identity: AnyIdentity): string {
  const { keys } = JSON.parse(identity.masterKey) as { keys: Record<string, string> };
  return Object.values(keys)[0] ?? '';
}
