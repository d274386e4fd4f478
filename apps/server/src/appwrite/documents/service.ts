/**
 * Documents of the collections of `/v1`. A collection is on one shard, which limits its size; a list queries that shard only.
 */
import { isDeepStrictEqual } from 'node:util';
import type { AccountId } from '@dostar/protocol/ids';
import { ownPermissions, rolesGranted } from '@dostar/protocol/appwrite/permissions';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Listing } from '../list-page.ts';
import { AppwriteError } from '../errors.ts';
import type { AppwriteCaller } from '../http.ts';
import { isPermitted, mayCreate, readersFor, requireOwnRoles } from '../permissions.ts';
import type { Filter } from '../queries.ts';
import { listableItems, ownerOf, revokePermissions, writeContainer } from '../containers/service.ts';
import { publishEvent } from '../events/service.ts';
import type { EventAction } from '../events/service.ts';
import { chargeDocument, sizeOf } from './charges.ts';
import { describeDocument, guardOf } from './model.ts';
import type { Collection } from './model.ts';
import {
  COLUMNS,
  deleteDocument,
  deleteDocumentsOf,
  deleteUsage,
  findDocument,
  insertDocument,
  readRow,
  updateDocument,
} from './store.ts';
import type { Data, Document, Row } from './store.ts';
import { readData, requireComplete } from './structure.ts';
import { selectView, VIEWS } from './views.ts';

export function requireCollection(ctx: Context, databaseId: string, id: string): Collection {
  const database = ctx.appwrite.databases.find((each) => each.id === databaseId);
  if (!database) throw new AppwriteError('database_not_found');
  const found = database.collections.find((collection) => collection.id === id);
  if (!found) throw new AppwriteError('collection_not_found');
  const owner = ownerOf('collection', `${ctx.appwrite.project}/${databaseId}/${id}`);
  const attributes = found.view ? VIEWS[found.view].attributes : found.attributes;
  return { ...found, attributes, owner, database: databaseId };
}

/** Throws the same error for a missing document and for one that the caller may not read. */
export async function requireReadableDocument(
  ctx: Context,
  collection: Collection,
  id: string,
  caller: AppwriteCaller,
): Promise<Document> {
  const { owner, view } = collection;
  if (view) return requireShown(ctx, view, id, caller);
  const found = await ctx.shards.of(owner).query((db) => findDocument(db, owner, id));
  if (!found || !isPermitted(guardOf(collection), found.permissions, 'read', caller))
    throw new AppwriteError('document_not_found');
  return found;
}

/** For lists: the table, its visible rows, and the owner whose shard has it. */
export function sourceOf(
  collection: Collection,
  caller: AppwriteCaller,
  filters: readonly Filter[],
): Pick<Listing<unknown>, 'table' | 'visible'> & { owner: AccountId } {
  const { owner, view } = collection;
  if (!view)
    return { owner, table: 'document', visible: listableItems(owner, readersFor(guardOf(collection), caller)) };
  const table = selectView(view, caller, filters);
  return { owner: caller.kind === 'user' ? caller.account : owner, table, visible: sql<boolean>`true` };
}

async function requireShown(
  ctx: Context,
  view: NonNullable<Collection['view']>,
  id: string,
  caller: AppwriteCaller,
): Promise<Document> {
  if (caller.kind !== 'user') throw new AppwriteError('document_not_found');
  const table = selectView(view, caller, [{ method: 'equal', attribute: '$id', values: [id] }]);
  const { rows } = await ctx.shards
    .of(caller.account)
    .query((db) => sql<Row>`select ${COLUMNS} from ${table} where id = ${id}`.execute(db));
  if (!rows[0]) throw new AppwriteError('document_not_found');
  return readRow(rows[0]);
}

export interface DocumentInput {
  id: string;
  data: Data;
  /** Undefined: unchanged, or for a new document those of its creator. */
  permissions: string[] | undefined;
}

export async function createDocument(
  ctx: Context,
  collection: Collection,
  input: DocumentInput,
  caller: AppwriteCaller,
  action: EventAction = 'create',
): Promise<Document> {
  requireOwnRoles(caller, input.permissions ?? []);
  if (!mayCreate(guardOf(collection), caller)) throw new AppwriteError('user_unauthorized');
  const fresh = complete(collection, input, caller);
  const made = await writeContainer(ctx, collection.owner, async (db) => {
    const inserted = await insertDocument(db, collection.owner, fresh, ctx.clock.now());
    if (!inserted) throw new AppwriteError('document_already_exists');
    await chargeDocument(db, collection, fresh.creator, sizeOf(fresh), caller);
    return inserted;
  });
  publishDocumentEvent(ctx, collection, made, action);
  return made;
}

function complete(
  collection: Collection,
  { id, data, permissions }: DocumentInput,
  caller: AppwriteCaller,
): Omit<DocumentInput, 'permissions'> & { permissions: string[]; creator: AccountId | null } {
  const read = readData(collection.attributes, data);
  requireComplete(collection.attributes, read);
  const own = caller.kind === 'user' ? ownPermissions(caller.id) : [];
  const creator = caller.kind === 'user' ? caller.account : null;
  return { id, data: read, permissions: permissions ?? own, creator };
}

/** Data may depend on the stored document: the function is called while the document is locked. */
interface Change extends Omit<DocumentInput, 'data'> {
  data: Data | ((known: Document) => Data);
}

/** Merges attributes. A call that changes nothing needs only the permission to read, and publishes no event. */
export async function changeDocument(
  ctx: Context,
  collection: Collection,
  input: Change,
  caller: AppwriteCaller,
  action: EventAction = 'update',
): Promise<Document> {
  requireOwnRoles(caller, input.permissions ?? []);
  const { owner } = collection;
  const { document, isChanged } = await writeContainer(ctx, owner, async (db) => {
    const known = await findDocument(db, owner, input.id, true);
    if (!known) throw new AppwriteError('document_not_found');
    const given = readGiven(collection, known, input, caller);
    const changed = {
      ...known,
      data: { ...known.data, ...given },
      permissions: input.permissions ?? known.permissions,
    };
    const isSame = isDeepStrictEqual(changed, known);
    if (isSame && isPermitted(guardOf(collection), known.permissions, 'read', caller))
      return { document: known, isChanged: false };
    if (!isPermitted(guardOf(collection), known.permissions, 'update', caller))
      throw new AppwriteError('user_unauthorized');
    requireComplete(collection.attributes, changed.data);
    const updated = { ...changed, updatedAt: Math.max(ctx.clock.now(), known.updatedAt + 1) };
    await updateDocument(db, owner, updated);
    await chargeDocument(db, collection, known.creator, sizeOf(updated) - sizeOf(known), caller);
    return { document: updated, isChanged: true };
  });
  if (isChanged) publishDocumentEvent(ctx, collection, document, action);
  return document;
}

/** Checks permission before structure, so that errors reveal nothing to a caller without permission. */
function readGiven(collection: Collection, known: Document, { data }: Change, caller: AppwriteCaller): Data {
  const isInsider =
    isPermitted(guardOf(collection), known.permissions, 'update', caller) ||
    isPermitted(guardOf(collection), known.permissions, 'read', caller);
  if (!isInsider) throw new AppwriteError('user_unauthorized');
  return readData(collection.attributes, typeof data === 'function' ? data(known) : data);
}

/** Creates the document or changes the given attributes. All required attributes must be given. */
export async function putDocument(
  ctx: Context,
  collection: Collection,
  input: DocumentInput,
  caller: AppwriteCaller,
): Promise<Document> {
  requireOwnRoles(caller, input.permissions ?? []);
  const { owner } = collection;
  const known = await ctx.shards.of(owner).query((db) => findDocument(db, owner, input.id));
  if (!known) return createDocument(ctx, collection, input, caller, 'upsert');
  if (!isPermitted(guardOf(collection), known.permissions, 'update', caller))
    throw new AppwriteError('user_unauthorized');
  requireComplete(collection.attributes, readData(collection.attributes, input.data));
  return changeDocument(ctx, collection, input, caller, 'upsert');
}

export async function removeDocument(
  ctx: Context,
  collection: Collection,
  id: string,
  caller: AppwriteCaller,
): Promise<void> {
  const { owner } = collection;
  const gone = await writeContainer(ctx, owner, async (db) => {
    const known = await findDocument(db, owner, id, true);
    if (!known) throw new AppwriteError('document_not_found');
    if (!isPermitted(guardOf(collection), known.permissions, 'delete', caller))
      throw new AppwriteError('user_unauthorized');
    await deleteDocument(db, owner, id);
    await chargeDocument(db, collection, known.creator, -sizeOf(known), caller);
    return known;
  });
  publishDocumentEvent(ctx, collection, gone, 'delete');
}

/**
 * Part of removing an account: deletes the documents that it created, and removes `user`, its id on `/v1`, from the
 * permissions of documents that were created with an API key.
 */
export async function dropDocumentsOf(ctx: Context, account: AccountId, user: string): Promise<void> {
  for (const { id: database, collections } of ctx.appwrite.databases) {
    for (const { id } of collections.filter(({ view }) => !view)) {
      const { owner } = requireCollection(ctx, database, id);
      while (await writeContainer(ctx, owner, (db) => deleteDocumentsOf(db, owner, account)));
      await writeContainer(ctx, owner, (db) => deleteUsage(db, owner, account));
      await revokePermissions(ctx, 'document', owner, user);
    }
  }
}

export function publishDocumentEvent(
  ctx: Context,
  collection: Collection,
  document: Document,
  action: EventAction,
): void {
  const path = ['databases', collection.database, 'collections', collection.id, 'documents'];
  const all = path.join('.');
  const own = collection.documentSecurity || collection.view ? document.permissions : [];
  publishEvent(ctx, {
    owner: collection.owner,
    path: [...path, document.id],
    channels: ['documents', all, `${all}.${document.id}`],
    action,
    readers: rolesGranted([...collection.permissions, ...own], 'read'),
    payload: describeDocument(collection, document),
  });
}
