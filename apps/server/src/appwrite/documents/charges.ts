/** Charges documents to the quota that each account has in a collection. */
import type { AccountId } from '@dostar/protocol/ids';
import { writeBigJson } from '../../platform/http/bigint-json.ts';
import type { ShardDb } from '../../platform/postgres/pools.ts';
import { AppwriteError } from '../errors.ts';
import type { AppwriteCaller } from '../http.ts';
import type { Collection } from './model.ts';
import { addUsage } from './store.ts';
import type { Document } from './store.ts';

/** Bytes of a row and its index entries, so that many small documents are not free. */
const OVERHEAD = 256;

export function sizeOf({ data, permissions }: Pick<Document, 'data' | 'permissions'>): number {
  return OVERHEAD + Buffer.byteLength(writeBigJson(data)) + permissions.join('').length;
}

/** Part of the transaction that writes the document. Throws `storage_quota_exceeded` if usage grows beyond the quota. */
export async function chargeDocument(
  db: ShardDb,
  collection: Collection,
  creator: AccountId | null,
  bytes: number,
  caller: AppwriteCaller,
): Promise<void> {
  if (creator === null || bytes === 0) return;
  const kept = await addUsage(db, collection.owner, creator, bytes);
  if (bytes > 0 && kept > collection.quotaBytes && caller.kind !== 'key') {
    throw new AppwriteError('storage_quota_exceeded', 'There is no room left for this document.');
  }
}
