/** The trust list as stored in the vault, with its earlier revisions, which reveal a fork of its history. */
import { z } from 'zod';
import { toBase64 } from '../crypto/base64.ts';
import { HASH_BYTES, type TrustListVersion } from './trust-mark.ts';
import { TrustList } from './trust-list.ts';

const TrailEntry = z.tuple([z.int().nonnegative(), z.string()]);

export const TrustDocument = z.object({
  v: z.literal(1),
  list: TrustList,
  /** Revisions and hashes of the documents before this one, oldest first. */
  trail: z.array(TrailEntry),
});
export type TrustDocument = z.infer<typeof TrustDocument>;

/** A document with the revision and the hash under which the server has it. */
export const VersionedDocument = z.object({ rev: z.int().nonnegative(), hash: z.string(), document: TrustDocument });
export type VersionedDocument = z.infer<typeof VersionedDocument>;

export const NOTHING_TRUSTED: VersionedDocument = { rev: 0, hash: '', document: { v: 1, list: {}, trail: [] } };

const MAX_TRAIL = 64;

export function encodeTrust(document: TrustDocument): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(document));
}

/** Undefined for a version that this app is too old for. */
export function decodeTrust(plain: Uint8Array): TrustDocument | undefined {
  return TrustDocument.safeParse(JSON.parse(new TextDecoder().decode(plain))).data;
}

export async function hashOf(plain: Uint8Array<ArrayBuffer>): Promise<string> {
  return toBase64(new Uint8Array(await crypto.subtle.digest('SHA-256', plain), 0, HASH_BYTES));
}

/** The next document, whose trail includes all of `before`. */
export function makeNext(list: TrustList, before: readonly VersionedDocument[]): TrustDocument {
  const trail = before.flatMap(({ rev, hash, document }) => [...document.trail, [rev, hash] as [number, string]]);
  const known = new Map(trail.filter(([rev]) => rev > 0).map((entry) => [entry.join('/'), entry]));
  const inOrder = [...known.values()].toSorted(([one], [other]) => one - other);
  return { v: 1, list, trail: inOrder.slice(-MAX_TRAIL) };
}

/**
 * Whether this document is that version or a later one. A version older than the whole trail can't be compared, and
 * counts as an earlier one.
 */
export function isAfter({ rev, hash, document: { trail } }: VersionedDocument, version: TrustListVersion): boolean {
  // Compares hashes, because a document that was encrypted again under another account key has a higher revision.
  if (version.hash === hash || trail.some(([, one]) => one === version.hash)) return true;
  return version.rev < (trail[0]?.[0] ?? rev);
}
