/** Rows of a mailbox as they go over the wire. */
import type { Entry } from '@dostar/protocol/mailbox';
import type { Appended, NewEntry } from './store.ts';

export function toWire(entry: NewEntry, stored: Appended): Entry {
  const { sender, id, chat, erases } = entry;
  // Of the stored entry: a repeat may have offered others (SPEC S3).
  const body = stored.body?.toString('base64url');
  const head = { seq: stored.seq, sender, id, chat, at: stored.at, ...(stored.peerSeq && { peerSeq: stored.peerSeq }) };
  if (erases) return { ...head, kind: 'erasure', erases, ...(body && { proof: body }) };
  return { ...head, kind: 'mail', ...(body && { body }) };
}

export function toRegisterValue(register: { mark: number | null; value: Buffer | null }): {
  mark?: number;
  value?: string;
} {
  return {
    ...(register.mark !== null && { mark: register.mark }),
    ...(register.value !== null && { value: register.value.toString('base64url') }),
  };
}
