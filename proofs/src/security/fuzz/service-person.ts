/** An account of `/v1` that owns one resource of each kind that routes name. */
import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { API_KEY, PROJECT } from './service-definition.ts';

export interface AppwritePerson {
  id: string;
  email: string;
  /** Secret of the session. */
  secret: string;
  document: string;
  file: string;
  target: string;
  /** A push target without a subscription. */
  spareTarget: string;
  subscriber: string;
}

export const SERVICE_PASSWORD = 'correct horse';

export async function makeServicePerson(url: string): Promise<AppwritePerson> {
  const email = `${randomUUID()}@fuzz.example`;
  const asKey = { 'x-appwrite-key': API_KEY };
  const account = { userId: 'unique()', email, password: SERVICE_PASSWORD };
  const { $id: id } = await call(url, '/account', asKey, account);
  const { secret = '' } = await call(url, '/account/sessions/email', asKey, { email, password: SERVICE_PASSWORD });
  const asUser = { 'x-appwrite-session': secret };
  const documents = '/databases/main/collections/things/documents';
  const { $id: document } = await call(url, documents, asUser, {
    documentId: 'unique()',
    data: { text: 'a', count: 1 },
  });
  const { $id: file } = await call(url, '/storage/buckets/files/files', asUser, await makeForm());
  const wanted = { targetId: 'unique()', identifier: randomUUID() };
  const { $id: target } = await call(url, '/account/targets/push', asUser, wanted);
  const { $id: spareTarget } = await call(url, '/account/targets/push', asUser, {
    ...wanted,
    identifier: randomUUID(),
  });
  const subscription = { subscriberId: 'unique()', targetId: target };
  const { $id: subscriber } = await call(url, '/messaging/topics/news/subscribers', asUser, subscription);
  return { id, email, secret, document, file, target, spareTarget, subscriber };
}

/** Drawn once: all accounts have the same picture. */
const PICTURE = sharp({ create: { width: 8, height: 8, channels: 3, background: '#369' } })
  .png()
  .toBuffer();

async function makeForm(): Promise<FormData> {
  const form = new FormData();
  form.append('fileId', 'unique()');
  form.append('file', new Blob([new Uint8Array(await PICTURE)]), 'picture.png');
  return form;
}

async function call(
  url: string,
  path: string,
  headers: Record<string, string>,
  body: object,
): Promise<{ $id: string; secret?: string }> {
  const isForm = body instanceof FormData;
  const reply = await fetch(`${url}/v1${path}`, {
    method: 'POST',
    headers: { 'x-appwrite-project': PROJECT, ...(!isForm && { 'content-type': 'application/json' }), ...headers },
    body: isForm ? body : JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`POST ${path} is answered ${reply.status} ${await reply.text()}`);
  return (await reply.json()) as { $id: string; secret?: string };
}
