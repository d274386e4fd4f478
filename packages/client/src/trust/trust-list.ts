/**
 * The account's trust in its contacts' identities: one list per account, shared by all its browsers.
 *
 * The list changes only by decisions, and applying a decision again to a newer list is harmless. So a browser that
 * loses a write race reads the winner's list and applies its own decisions to that.
 */
import { AccountId } from '@dostar/protocol/ids';
import { z } from 'zod';

const TrustEntry = z.object({
  /** The accepted master key; missing while only an invite has named the fingerprint. */
  key: z.string().optional(),
  fingerprint: z.string().optional(),
  isVerified: z.boolean(),
  /** Master keys that were accepted before: messages from that time stay readable. */
  former: z.array(z.string()),
  /** The fingerprint from an invite or a QR code. */
  pin: z.string().optional(),
  /** The server gave two browsers of this account different lists, and they disagree about this contact. */
  isDisputed: z.literal(true).optional(),
});
export type TrustEntry = z.infer<typeof TrustEntry>;

export const TrustList = z.record(AccountId, TrustEntry);
export type TrustList = z.infer<typeof TrustList>;

const Identity = { account: AccountId, key: z.string(), fingerprint: z.string() };

export const TrustDecision = z.discriminatedUnion('kind', [
  /** First seen: trusted if nothing is known yet. */
  z.object({ kind: z.literal('seen'), ...Identity }),
  /** The person compared emoji or scanned a code. */
  z.object({ kind: z.literal('verified'), ...Identity }),
  /** The person accepted the changed keys. */
  z.object({ kind: z.literal('accepted'), ...Identity }),
  /** An invite or a QR code named the fingerprint. The first one counts. */
  z.object({ kind: z.literal('pinned'), account: AccountId, fingerprint: z.string() }),
]);
export type TrustDecision = z.infer<typeof TrustDecision>;

const MAX_FORMER = 16;

export function decide(list: TrustList, decisions: readonly TrustDecision[]): TrustList {
  const decided = { ...list };
  for (const decision of decisions) decided[decision.account] = apply(decided[decision.account], decision);
  return decided;
}

function apply(entry: TrustEntry = { isVerified: false, former: [] }, decision: TrustDecision): TrustEntry {
  switch (decision.kind) {
    case 'seen':
      return entry.key === undefined ? { ...entry, key: decision.key, fingerprint: decision.fingerprint } : entry;
    case 'pinned':
      return entry.pin === undefined && !entry.isVerified ? { ...entry, pin: decision.fingerprint } : entry;
    case 'verified':
    case 'accepted': {
      const { key, fingerprint } = decision;
      const before = entry.key === undefined || entry.key === key ? [] : [entry.key];
      const former = [...entry.former.filter((one) => one !== key), ...before].slice(-MAX_FORMER);
      const isVerified = decision.kind === 'verified' || (entry.isVerified && entry.key === key);
      return { key, fingerprint, isVerified, former };
    }
  }
}

/** Whether this account trusts the contact's present master key. */
export function isTrusted(entry: TrustEntry | undefined, key: string): boolean {
  return entry?.key === key && !isPinBroken(entry) && entry.isDisputed !== true;
}

/** Whether this account trusts the master key now or did before: messages from devices that it signed may be shown. */
export function wasTrusted(entry: TrustEntry | undefined, key: string): boolean {
  return isTrusted(entry, key) || entry?.former.includes(key) === true;
}

function isPinBroken({ pin, fingerprint }: TrustEntry): boolean {
  return pin !== undefined && fingerprint !== undefined && pin !== fingerprint;
}

/**
 * Merges two genuine lists that the server gave to different browsers: contacts they disagree about need a decision.
 */
export function mergeForked(ours: TrustList, theirs: TrustList): TrustList {
  const merged = { ...theirs, ...ours };
  for (const [account, entry] of Object.entries(theirs) as [AccountId, TrustEntry][]) {
    const own = ours[account];
    if (own !== undefined && own.key !== entry.key) merged[account] = { ...own, isDisputed: true };
  }
  return merged;
}
