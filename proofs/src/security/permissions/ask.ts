/** Asks the server and the plain reading of the rules the same, and says whether they agree. */
import { expandPermissions } from '@dostar/protocol/service/permissions';
import { sql } from 'kysely';
import type { Context } from '../../../../apps/server/src/context.ts';
import {
  changeDocument,
  createDocument,
  readersFor,
  removeDocument,
  requireCollection,
  requireReadableDocument,
} from '../../../../apps/server/src/appwrite/documents/service.ts';
import type { Collection } from '../../../../apps/server/src/appwrite/documents/model.ts';
import { documentsOf } from '../../../../apps/server/src/appwrite/documents/store.ts';
import { AppwriteError } from '../../../../apps/server/src/appwrite/errors.ts';
import type { AppwriteCaller } from '../../../../apps/server/src/appwrite/http.ts';
import { listFor, mayDo } from './reference.ts';
import type { Deed, Shelf, Somebody } from './reference.ts';

const KEY: AppwriteCaller = { kind: 'key', roles: [] };

export interface Given {
  collection: Collection;
  caller: AppwriteCaller;
}

export async function put(ctx: Context, at: number, id: string, permissions: string[]): Promise<void> {
  const wish = { id, data: { n: 1 }, permissions: expandPermissions(permissions, 'thing') };
  await createDocument(ctx, requireCollection(ctx, 'main', `c${at}`), wish, KEY);
}

interface Case {
  at: number;
  shelf: Shelf;
  own: Map<string, string[]>;
  who: Somebody;
  given: Given;
  turn: number;
  id: string;
}

export async function compare(ctx: Context, asked: Case): Promise<{ kind: string; isSame: boolean; detail: string }> {
  const { at, shelf, own, who, given, turn, id } = asked;
  const { collection, caller } = given;
  const told = JSON.stringify({ shelf, own: own.get(id), who });
  if (turn < 5) {
    const found = await attempt(() => listIds(ctx, collection, caller));
    const wanted = listFor(shelf, own, who);
    return {
      kind: 'list',
      isSame: JSON.stringify(found) === JSON.stringify(wanted),
      detail: `${told}: ${String(found)} instead of ${String(wanted)}`,
    };
  }
  const deed: Deed = turn < 12 ? 'read' : turn < 15 ? 'update' : turn < 18 ? 'create' : 'delete';
  const isDone = await attempt(() => DEEDS[deed](ctx, collection, caller, id));
  const isRight = mayDo(shelf, own.get(id)!, deed, who);
  if (isDone && deed === 'create') await removeDocument(ctx, collection, 'new', KEY);
  if (isDone && deed === 'delete') await put(ctx, at, id, own.get(id)!);
  return { kind: deed, isSame: (isDone ?? false) === isRight, detail: `${told}: ${isDone}` };
}

let turns = 1;
const DEEDS: Record<Deed, (ctx: Context, collection: Collection, caller: AppwriteCaller, id: string) => Promise<true>> =
  {
    async read(ctx, collection, caller, id) {
      await requireReadableDocument(ctx, collection, id, caller);
      return true;
    },
    async create(ctx, collection, caller) {
      await createDocument(ctx, collection, { id: 'new', data: { n: 1 }, permissions: [] }, caller);
      return true;
    },
    async update(ctx, collection, caller, id) {
      turns += 1;
      await changeDocument(ctx, collection, { id, data: { n: turns }, permissions: undefined }, caller);
      return true;
    },
    async delete(ctx, collection, caller, id) {
      await removeDocument(ctx, collection, id, caller);
      return true;
    },
  };

async function listIds(ctx: Context, { owner, ...rest }: Collection, caller: AppwriteCaller): Promise<string[]> {
  const visible = documentsOf(owner, readersFor({ owner, ...rest }, caller));
  const found = await ctx.shards
    .of(owner)
    .query((db) => sql<{ id: string }>`select id from document where ${visible} order by id`.execute(db));
  return found.rows.map((row) => row.id);
}

/** Undefined for a refusal. */
async function attempt<T>(task: () => Promise<T>): Promise<T | undefined> {
  try {
    return await task();
  } catch (error) {
    if (error instanceof AppwriteError) return undefined;
    throw error;
  }
}
