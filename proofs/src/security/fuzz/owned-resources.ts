/** Resources of a test account, created by API calls, so that valid inputs that name them succeed. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createBackup } from '@dostar/protocol/contract/key-backup';
import {
  BLOB_HEADER,
  CHUNK_HEADER,
  CHUNK_ROUTE,
  createBlob,
  finishBlob,
  HASH_HEADER,
} from '@dostar/protocol/contract/blobs';
import type { Endpoint } from '@dostar/protocol/contract/endpoint';
import { answerDeviceTransfer, requestDeviceTransfer } from '@dostar/protocol/contract/device-transfer';
import { createInvite } from '@dostar/protocol/contract/invites';
import { putPushTarget } from '@dostar/protocol/contract/push';
import type { Context } from '../../../../apps/server/src/context.ts';
import { createUserDocument } from '../../../../apps/server/src/features/people/users/service.ts';
import type { Browser } from '../../../../apps/server/test/push-service.ts';
import type { TestAccounts } from '../isolation/bodies.ts';
import { callWith, headersOf } from '../isolation/call.ts';

export interface OwnedResources {
  /** Version of the key backup. */
  backup: string;
  /** A finished upload, and one whose only chunk is missing. */
  blob: string;
  upload: string;
  /** A transfer that the other browser requested, and one that this browser requested and the other answered. */
  askedTransfer: string;
  answeredTransfer: string;
  /** An invite of the friend. */
  invite: string;
  friendName: string;
  subscription: Browser['subscription'];
}

export const CHUNK = Buffer.from('bytes of a chunk');

export interface ResourceFactory {
  ctx: Context;
  url: string;
  addSubscription: () => Browser['subscription'];
}

export async function createOwnedResources(
  factory: ResourceFactory,
  { alice, second, friend }: TestAccounts,
): Promise<OwnedResources> {
  const { ctx, url } = factory;
  const subscription = factory.addSubscription();
  const target = { ...subscription, tagKey: randomBytes(32).toString('base64url'), locale: 'en' };
  const as = async <T>({ token }: { token: string }, endpoint: Endpoint, body: unknown): Promise<T> => {
    const { status, text } = await callWith(url, endpoint, { token }, body);
    if (status !== 200) throw new Error(`${endpoint.path} is answered ${status} ${text}`);
    return JSON.parse(text) as T;
  };
  const [blob, upload] = [randomUUID(), randomUUID()];
  const commitment = randomBytes(32).toString('base64url');
  const [{ version }, asked, answered, { token }] = await Promise.all([
    as<{ version: string }>(alice, createBackup, { algorithm: 'none', auth_data: {} }),
    as<{ id: string }>(second, requestDeviceTransfer, { commitment }),
    as<{ id: string }>(alice, requestDeviceTransfer, { commitment }),
    as<{ token: string }>(friend, createInvite, {}),
    as(alice, createBlob, { id: blob, size: CHUNK.length }),
    as(alice, createBlob, { id: upload, size: CHUNK.length }),
    as(alice, putPushTarget, target),
    createUserDocument(ctx, alice.account, { email: null, verifiedAt: null }),
    createUserDocument(ctx, friend.account, { email: null, verifiedAt: null }),
  ]);
  const publicKey = Buffer.alloc(65, 4).toString('base64url');
  await Promise.all([
    as(second, answerDeviceTransfer, { id: answered.id, publicKey }),
    putChunk(url, alice.token, blob),
  ]);
  await as(alice, finishBlob, { id: blob });
  const { name } = await ctx.directory
    .selectFrom('username')
    .select('name')
    .where('account', '=', friend.account)
    .executeTakeFirstOrThrow();
  return {
    backup: version,
    blob,
    upload,
    askedTransfer: asked.id,
    answeredTransfer: answered.id,
    invite: token,
    friendName: name,
    subscription,
  };
}

export function chunkHeaders(blob: string): Record<string, string> {
  const hash = createHash('sha256').update(CHUNK).digest('base64url');
  return {
    [BLOB_HEADER]: blob,
    [CHUNK_HEADER]: '0',
    [HASH_HEADER]: hash,
    'content-type': 'application/octet-stream',
  };
}

async function putChunk(url: string, token: string, blob: string): Promise<void> {
  const headers = headersOf({ token, more: chunkHeaders(blob) }, undefined);
  const { ok, status } = await fetch(url + CHUNK_ROUTE.path, { method: CHUNK_ROUTE.method, headers, body: CHUNK });
  if (!ok) throw new Error(`a chunk is answered ${status}`);
}
