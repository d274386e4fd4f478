import type { Guarded } from '@dostar/protocol/appwrite/permissions';
import type { AccountId } from '@dostar/protocol/ids';
import { writeTime } from '../time.ts';
import type { CollectionDefinition } from '../../appwrite-definition.ts';
import type { Document } from './store.ts';

export interface Collection extends CollectionDefinition {
  owner: AccountId;
  database: string;
}

export function guardOf({ permissions, documentSecurity }: Collection): Guarded {
  return { container: permissions, isEachGuarded: documentSecurity };
}

/** A document in the format of `/v1`. */
export function describeDocument(collection: Collection, document: Document, select?: string[]) {
  const names = collection.attributes.map(({ key }) => key).filter((key) => !select || select.includes(key));
  return {
    $id: document.id,
    $sequence: String(document.sequence),
    $collectionId: collection.id,
    $databaseId: collection.database,
    $createdAt: writeTime(document.createdAt),
    $updatedAt: writeTime(document.updatedAt),
    $permissions: document.permissions,
    ...Object.fromEntries(names.map((key) => [key, document.data[key] ?? null])),
  };
}
