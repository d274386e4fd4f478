/** Asks the server and the independent implementation of the rules the same, and compares the answers. */
import { expandPermissions } from '@dostar/protocol/appwrite/permissions';
import { sql } from 'kysely';
import type { Context } from '../../../../apps/server/src/context.ts';
import {
  changeDocument,
  createDocument,
  removeDocument,
  requireCollection,
  requireReadableDocument,
} from '../../../../apps/server/src/appwrite/documents/service.ts';
import { listableItems } from '../../../../apps/server/src/appwrite/containers/service.ts';
import type { Collection } from '../../../../apps/server/src/appwrite/documents/model.ts';
import { guardOf } from '../../../../apps/server/src/appwrite/documents/model.ts';
import { readersFor } from '../../../../apps/server/src/appwrite/permissions.ts';
import { AppwriteError } from '../../../../apps/server/src/appwrite/errors.ts';
import type { AppwriteCaller } from '../../../../apps/server/src/appwrite/http.ts';
import { listVisible, isAllowed } from './reference.ts';
import type { PermissionAction, PermissionContainer, Subject } from './reference.ts';

const KEY: AppwriteCaller = { kind: 'key', roles: [] };

export interface ServerInputs {
  collection: Collection;
  caller: AppwriteCaller;
}

export async function insertDocument(ctx: Context, at: number, id: string, permissions: string[]): Promise<void> {
  const input = { id, data: { n: 1 }, permissions: expandPermissions(permissions, 'thing') };
  await createDocument(ctx, requireCollection(ctx, 'main', `c${at}`), input, KEY);
}

interface Case {
  at: number;
  container: PermissionContainer;
  own: Map<string, string[]>;
  subject: Subject;
  serverInputs: ServerInputs;
  turn: number;
  id: string;
}

export async function compare(ctx: Context, asked: Case): Promise<{ kind: string; isSame: boolean; detail: string }> {
  const { at, container, own, subject, serverInputs, turn, id } = asked;
  const { collection, caller } = serverInputs;
  const told = JSON.stringify({ container, own: own.get(id), subject });
  if (turn < 5) {
    const found = await attempt(() => listIds(ctx, collection, caller));
    const wanted = listVisible(container, own, subject);
    return {
      kind: 'list',
      isSame: JSON.stringify(found) === JSON.stringify(wanted),
      detail: `${told}: ${String(found)} instead of ${String(wanted)}`,
    };
  }
  const action: PermissionAction = turn < 12 ? 'read' : turn < 15 ? 'update' : turn < 18 ? 'create' : 'delete';
  const isDone = await attempt(() => ATTEMPTS[action](ctx, collection, caller, id));
  const isRight = isAllowed(container, own.get(id)!, action, subject);
  if (isDone && action === 'create') await removeDocument(ctx, collection, 'new', KEY);
  if (isDone && action === 'delete') await insertDocument(ctx, at, id, own.get(id)!);
  return { kind: action, isSame: (isDone ?? false) === isRight, detail: `${told}: ${isDone}` };
}

let turns = 1;
const ATTEMPTS: Record<
  PermissionAction,
  (ctx: Context, collection: Collection, caller: AppwriteCaller, id: string) => Promise<true>
> = {
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

async function listIds(ctx: Context, collection: Collection, caller: AppwriteCaller): Promise<string[]> {
  const { owner } = collection;
  const visible = listableItems(owner, readersFor(guardOf(collection), caller));
  const found = await ctx.shards
    .of(owner)
    .query((db) => sql<{ id: string }>`select id from document where ${visible} order by id`.execute(db));
  return found.rows.map((row) => row.id);
}

/** Undefined if the task was refused. */
async function attempt<T>(task: () => Promise<T>): Promise<T | undefined> {
  try {
    return await task();
  } catch (error) {
    if (error instanceof AppwriteError) return undefined;
    throw error;
  }
}
