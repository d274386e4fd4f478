import type { AccountId } from '@dostar/protocol/ids';
import type { Entry } from '@dostar/protocol/mailbox';
import type { Checks } from './checks.ts';
import type { Ledger } from './ledger.ts';

/** Records an entry that a client has read: all clients must always read the same content under its number (M2). */
export function recordSeenEntry(ledger: Ledger, checks: Checks, owner: AccountId, entry: Entry): void {
  const key = `${owner}/${entry.seq}`;
  const known = ledger.seen.get(key);
  if (!known) {
    ledger.seen.set(key, entry);
    return;
  }
  checks.that('an entry keeps its content', describe(known) === describe(entry), () => {
    return `entry ${entry.seq} was ${describe(known)} and is ${describe(entry)}`;
  });
  const [before, after] = [bodyOf(known), bodyOf(entry)];
  if (before === undefined) ledger.seen.set(key, entry);
  if (before === undefined || after === undefined) return;
  checks.that('an entry keeps its bytes', before === after, () => `entry ${entry.seq} was ${before} and is ${after}`);
}

function describe(entry: Entry): string {
  const { seq, sender, id, chat, at, peerSeq, kind } = entry;
  return JSON.stringify([seq, sender, id, chat, at, peerSeq ?? null, kind, kind === 'erasure' ? entry.erases : null]);
}

function bodyOf(entry: Entry): string | undefined {
  return entry.kind === 'mail' ? entry.body : undefined;
}
