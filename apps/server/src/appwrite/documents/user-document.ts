/**
 * Writes of the user document on `/v1`. It is the same document as on `/api`, with the same rules: its owner can set few
 * attributes here, other calls set the rest, and deleting the document closes the account.
 */
import { isDeepStrictEqual } from 'node:util';
import { UserChanges } from '@dostar/protocol/contract/users';
import { AppError } from '@dostar/protocol/errors';
import type { Context } from '../../context.ts';
import { AppwriteError } from '../errors.ts';
import type { AppwriteCaller, AppwriteUser } from '../http.ts';
import { requireOwnRoles } from '../permissions.ts';
import { closeAccount } from '../../features/identity/use-cases/remove-account.ts';
import { recordPresence } from '../../features/messaging/presence/service.ts';
import { requireNoPriorCredentials } from '../../features/identity/recovery/service.ts';
import { requireReauthentication } from '../../features/identity/sessions/service.ts';
import { changeUser } from '../../features/people/users/service.ts';
import type { Collection } from './model.ts';
import { requireReadableDocument, publishDocumentEvent } from './service.ts';
import type { DocumentInput } from './service.ts';
import type { Document } from './store.ts';
import { readData } from './structure.ts';

const Writable = UserChanges.pick({ FCMToken: true });

export async function changeUserDocument(
  ctx: Context,
  collection: Collection,
  input: DocumentInput,
  caller: AppwriteCaller,
): Promise<Document> {
  requireOwnRoles(caller, input.permissions ?? []);
  const [owner, known] = await requireOwnDocument(ctx, collection, input.id, caller);
  if (input.permissions && !isDeepStrictEqual(input.permissions, known.permissions)) {
    throw new AppwriteError('user_unauthorized', 'Permissions of a user document can not be changed.');
  }
  const { lastOnline, ...changes } = listChanges(collection, known, input);
  const parsed = Writable.strict().safeParse(changes);
  if (!parsed.success) {
    const name = String(Object.keys(changes)[0]);
    throw new AppwriteError('document_invalid_structure', `Invalid document structure: "${name}" can not be set so`);
  }
  const isChanged = Object.keys(changes).length > 0;
  if (isChanged) await changeUser(ctx, owner.account, parsed.data);
  // The value is ignored: the server uses its own clock.
  if (lastOnline !== undefined) await recordPresence(ctx, owner.account);
  const document = await requireReadableDocument(ctx, collection, input.id, caller);
  if (isChanged || lastOnline !== undefined) publishDocumentEvent(ctx, collection, document, 'update');
  return document;
}

/** Attributes that differ from the stored ones: clients also send back unchanged attributes. */
function listChanges(collection: Collection, known: Document, { data }: DocumentInput): Document['data'] {
  const given = Object.entries(readData(collection.attributes, data));
  return Object.fromEntries(given.filter(([name, value]) => !isDeepStrictEqual(value, known.data[name] ?? null)));
}

/** Closes the account. As on `/api`, this needs a recent re-authentication. */
export async function removeUserDocument(
  ctx: Context,
  collection: Collection,
  id: string,
  caller: AppwriteCaller,
): Promise<void> {
  const [{ account, product }] = await requireOwnDocument(ctx, collection, id, caller);
  if (!product) throw new AppwriteError('user_challenge_required');
  const session = { account, ...product };
  await requireReauthentication(ctx, session).catch(translate);
  await requireNoPriorCredentials(ctx, session).catch(translate);
  await closeAccount(ctx, account);
}

function translate(error: unknown): never {
  const isRefusal = error instanceof AppError && ['reauthenticate', 'forbidden'].includes(error.code);
  if (!isRefusal) throw error;
  const type = error.code === 'forbidden' ? 'user_unauthorized' : 'user_challenge_required';
  throw new AppwriteError(type, undefined, { cause: error });
}

async function requireOwnDocument(
  ctx: Context,
  collection: Collection,
  id: string,
  caller: AppwriteCaller,
): Promise<[AppwriteUser, Document]> {
  const known = await requireReadableDocument(ctx, collection, id, caller);
  if (caller.kind !== 'user') throw new AppwriteError('document_not_found');
  return [caller, known];
}
