/** Storage quotas of `/v1`: of each account, and of all accounts with an unverified address together. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { addPerson, operatorOf, verifyEmail, writeAppwriteFile } from './appwrite-people.ts';
import type { Reply, AppwriteClient } from './appwrite-people.ts';
import { startSmtpPeer } from './smtp-peer.ts';
import type { SmtpPeer } from './smtp-peer.ts';
import { startTestCluster } from './test-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

const FILES = '/storage/buckets/files/files';
const NOTES = '/databases/app/collections/notes/documents';
/** A process recounts the bytes of unverified accounts once a minute. */
const A_MINUTE = 61_000;

let smtp: SmtpPeer;
let cluster: TestCluster;
let ahead = 0;
beforeAll(async () => {
  smtp = await startSmtpPeer();
  const attributes = [{ key: 'text', type: 'string' }];
  const notes = {
    id: 'notes',
    permissions: ['create("users")'],
    documentSecurity: true,
    quotaBytes: 4_000,
    attributes,
  };
  const definition = {
    unverifiedQuotaBytes: 1_000,
    unverifiedTotalBytes: 2_000,
    buckets: [{ id: 'files', permissions: ['create("users")'], fileSecurity: true }],
    databases: [{ id: 'app', collections: [notes] }],
  };
  const engines = { postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') };
  const env = { SMTP_URL: smtp.url, APPWRITE_CONFIG_FILE: await writeAppwriteFile(definition) };
  cluster = await startTestCluster({ ...engines, env, overrides: { clock: { now: () => Date.now() + ahead } } });
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await smtp[Symbol.asyncDispose]();
});

async function upload(person: AppwriteClient, bytes: number): Promise<Reply> {
  const form = new FormData();
  form.set('fileId', 'unique()');
  form.set('file', new File([new Uint8Array(bytes)], 'a.bin'));
  return person.call('POST', FILES, form);
}

const FULL = { status: 403, body: { type: 'storage_quota_exceeded' } };

test('an account has a small quota until its address is verified, and the usual one afterwards', async () => {
  const person = await addPerson(cluster.url);
  expect(await upload(person, 900)).toMatchObject({ status: 201 });
  expect(await upload(person, 200)).toMatchObject(FULL);
  expect(await person.call('GET', FILES)).toMatchObject({ body: { total: 1 } });
  await verifyEmail(smtp, person);
  expect(await upload(person, 5_000)).toMatchObject({ status: 201 });
});

test('accounts with an unverified address share one quota, however many there are', async () => {
  ahead += A_MINUTE;
  const [one, other, third] = [
    await addPerson(cluster.url),
    await addPerson(cluster.url),
    await addPerson(cluster.url),
  ];
  const kept = await upload(one, 900);
  expect(kept).toMatchObject({ status: 201 });
  expect(await upload(other, 900)).toMatchObject({ status: 201 });
  expect(await upload(third, 900)).toMatchObject(FULL);
  expect(await third.call('GET', FILES)).toMatchObject({ body: { total: 0 } });
  const verified = await addPerson(cluster.url);
  await verifyEmail(smtp, verified);
  expect(await upload(verified, 900)).toMatchObject({ status: 201 });
  await one.call('DELETE', `${FILES}/${kept.body.$id}`, {});
  ahead += A_MINUTE;
  expect(await upload(third, 900)).toMatchObject({ status: 201 });
});

test('an account has a quota in a collection, which does not limit other accounts or API keys', async () => {
  const [person, other] = [await addPerson(cluster.url), await addPerson(cluster.url)];
  const write = (by: AppwriteClient, documentId: string, length: number): Promise<Reply> =>
    by.call('POST', NOTES, { documentId, data: { text: 'x'.repeat(length) } });
  const grow = (documentId: string, length: number): Promise<Reply> =>
    person.call('PATCH', `${NOTES}/${documentId}`, { data: { text: 'x'.repeat(length) } });
  expect(await write(person, 'one', 1_000)).toMatchObject({ status: 201 });
  expect(await write(person, 'two', 3_000)).toMatchObject(FULL);
  expect(await write(person, 'two', 1_000)).toMatchObject({ status: 201 });
  expect(await grow('two', 3_000)).toMatchObject(FULL);
  expect(await person.call('GET', `${NOTES}/two`)).toMatchObject({ body: { text: 'x'.repeat(1_000) } });
  expect(await write(other, 'three', 3_000)).toMatchObject({ status: 201 });
  await person.call('DELETE', `${NOTES}/one`, {});
  expect(await grow('two', 2_000)).toMatchObject({ status: 200 });
  expect(await write(operatorOf(cluster), 'large', 10_000)).toMatchObject({ status: 201 });
});

test('each document counts for more than the length of its text', async () => {
  const person = await addPerson(cluster.url);
  const statuses: number[] = [];
  for (let n = 0; n < 20; n += 1) {
    const made = await person.call('POST', NOTES, { documentId: 'unique()', data: { text: 'x' } });
    statuses.push(made.status);
  }
  expect(statuses).toContain(403);
});
