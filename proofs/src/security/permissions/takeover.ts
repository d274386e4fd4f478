/** Signs up on `/v1` with the id of another account, before and after that account is removed, and tries to use its roles. */
import { randomUUID } from 'node:crypto';
import { deleteUser } from '@dostar/protocol/contract/accounts';
import { CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import type { AccountId } from '@dostar/protocol/ids';
import { createAccount } from '../../../../apps/server/src/features/identity/accounts/service.ts';
import { removeAccount } from '../../../../apps/server/src/features/identity/use-cases/remove-account.ts';
import { findAppwriteAccountById } from '../../../../apps/server/src/appwrite/ids/service.ts';
import { startSession } from '../../../../apps/server/src/features/identity/sessions/service.ts';
import { createUserDocument } from '../../../../apps/server/src/features/people/users/service.ts';
import type { Context } from '../../../../apps/server/src/context.ts';
import { ORIGIN } from '../../harness/lib/servers.ts';
import type { Servers } from '../../harness/lib/servers.ts';
import { AppwriteClient } from './service-client.ts';

const NOTES = '/databases/main/collections/notes/documents';
const FILES = '/storage/buckets/files/files';

export const TAKEOVER_DEFINITION = {
  project: 'proof',
  signUpsPerHour: 100_000,
  databases: [
    {
      id: 'main',
      collections: [
        {
          id: 'notes',
          permissions: ['create("users")'],
          documentSecurity: true,
          attributes: [{ key: 'text', type: 'string' }],
        },
      ],
    },
  ],
  buckets: [{ id: 'files', permissions: ['create("users")'], fileSecurity: true }],
};

interface Victim {
  id: string;
  client: AppwriteClient;
  remove: () => Promise<void>;
}

type Check = (kind: string, holds: boolean, detail: () => string) => void;

/** `rounds`: the number of victims of each kind. */
export async function attemptTakeovers({ ctx, processes }: Servers, rounds: number, check: Check): Promise<void> {
  const [{ url } = { url: '' }] = processes;
  for (let round = 0; round < rounds; round += 1) {
    for (const victim of [await addProductVictim(ctx, url), await addServiceVictim(ctx, url)]) {
      await attemptTakeover(url, victim, check);
    }
  }
}

async function attemptTakeover(url: string, { id, client, remove }: Victim, check: Check): Promise<void> {
  const [own, shared] = [randomUUID(), randomUUID()];
  await fill(client, own, shared);
  for (const chosen of [id, id.toUpperCase()]) {
    const reached = await reach(url, chosen, own);
    check('choosing the id of an account opens nothing of it', reached === '', () => `${chosen}: ${reached}`);
  }
  await remove();
  const reader = await signUp(url, `reader-${randomUUID().slice(0, 8)}`);
  if (!reader) throw new Error('a reader could not sign up');
  for (const path of [`${NOTES}/${shared}`, `${FILES}/${shared}`]) {
    const { status } = await reader.call('GET', path);
    check('documents and files are deleted with their account', status === 404, () => `${path}: ${status}`);
  }
  const next = await signUp(url, id);
  check('the id of a removed account is refused', next === undefined, () => id);
}

/** Stores a document and a file that only the owner may read, and one of each that every signed-in user may read. */
async function fill(client: AppwriteClient, own: string, shared: string): Promise<void> {
  for (const [id, permissions] of [
    [own, undefined],
    [shared, ['read("users")']],
  ] as const) {
    const made = await client.call('POST', NOTES, { documentId: id, data: { text: id }, permissions });
    const kept = await upload(client, id, permissions);
    if (made.status !== 201 || kept.status !== 201) throw new Error(`not stored: ${made.status} ${kept.status}`);
  }
}

async function upload(
  client: AppwriteClient,
  id: string,
  permissions: readonly string[] = [],
): Promise<{ status: number }> {
  const form = new FormData();
  form.set('fileId', id);
  for (const permission of permissions) form.append('permissions[]', permission);
  form.set('file', new File(['bytes'], 'a.txt'));
  return client.call('POST', FILES, form);
}

/** Lists the calls on the victim's document and file that succeed for an account with the chosen id. */
async function reach(url: string, chosen: string, own: string): Promise<string> {
  const stranger = await signUp(url, chosen);
  if (!stranger) return '';
  const tries: [string, string, object?][] = [
    ['GET', `${NOTES}/${own}`],
    ['PATCH', `${NOTES}/${own}`, { data: { text: 'forged' } }],
    ['DELETE', `${NOTES}/${own}`, {}],
    ['GET', `${FILES}/${own}/download`],
    ['DELETE', `${FILES}/${own}`, {}],
  ];
  const done: string[] = [];
  for (const [method, path, body] of tries) {
    const { status } = await stranger.call(method, path, body);
    if (status < 300) done.push(`${method} ${path}`);
  }
  return done.join(', ');
}

/** Undefined if the server refuses the id. */
async function signUp(url: string, userId: string): Promise<AppwriteClient | undefined> {
  const client = new AppwriteClient(url, TAKEOVER_DEFINITION.project);
  const login = { email: `${randomUUID()}@proof.example`, password: 'correct horse' };
  const { status } = await client.call('POST', '/account', { userId, ...login });
  if (status !== 201) return undefined;
  const { headers } = await client.call('POST', '/account/sessions/email', login);
  const fallback = JSON.parse(headers.get('x-fallback-cookies') ?? '{}') as Record<string, string>;
  client.headers['x-appwrite-session'] = fallback[`a_session_${TAKEOVER_DEFINITION.project}`] ?? '';
  return client;
}

async function addProductVictim(ctx: Context, url: string): Promise<Victim> {
  const account = await createAccount(ctx);
  await createUserDocument(ctx, account, { email: null, verifiedAt: null });
  const { token } = await startSession(ctx, account);
  const cookie = `${SESSION_COOKIE}=${token}`;
  const own = { cookie, origin: ORIGIN, 'sec-fetch-site': 'same-origin' };
  return {
    id: account,
    client: new AppwriteClient(url, TAKEOVER_DEFINITION.project, own),
    async remove() {
      const reply = await fetch(url + deleteUser.path, {
        method: deleteUser.method,
        headers: { ...own, [CALL_HEADER]: '1', 'content-type': 'application/json' },
        body: JSON.stringify({ userId: account }),
      });
      if (!reply.ok) throw new Error(`not deleted: ${reply.status}`);
    },
  };
}

/** No call of `/v1` deletes such an account, so the operator's command does. */
async function addServiceVictim(ctx: Context, url: string): Promise<Victim> {
  const id = `victim-${randomUUID().slice(0, 8)}`;
  const client = await signUp(url, id);
  if (!client) throw new Error('a victim could not sign up');
  const account = (await findAppwriteAccountById(ctx, id)) as AccountId;
  return { id, client, remove: () => removeAccount(ctx, account) };
}
