/** What accounts of `/v1` may store for nothing: little before their address is verified, and not much all together. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { addPerson, operatorOf, verifyEmail, writeServiceFile } from './service-people.ts';
import type { Reply, ServiceClient } from './service-people.ts';
import { startSmtpPeer } from './smtp-peer.ts';
import type { SmtpPeer } from './smtp-peer.ts';
import { startWorld } from './world.ts';
import type { World } from './world.ts';

const FILES = '/storage/buckets/files/files';
const NOTES = '/databases/app/collections/notes/documents';
/** Of what unverified accounts keep together, a process is that much behind. */
const A_MINUTE = 61_000;

let smtp: SmtpPeer;
let world: World;
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
  const env = { SMTP_URL: smtp.url, SERVICE_FILE: await writeServiceFile(definition) };
  world = await startWorld({ ...engines, env, overrides: { clock: { now: () => Date.now() + ahead } } });
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await smtp[Symbol.asyncDispose]();
});

async function upload(person: ServiceClient, bytes: number): Promise<Reply> {
  const form = new FormData();
  form.set('fileId', 'unique()');
  form.set('file', new File([new Uint8Array(bytes)], 'a.png'));
  return person.call('POST', FILES, form);
}

const FULL = { status: 403, body: { type: 'storage_quota_exceeded' } };

test('an account keeps little before its address is verified, and as much as any other afterwards', async () => {
  const person = await addPerson(world.url);
  expect(await upload(person, 900)).toMatchObject({ status: 201 });
  expect(await upload(person, 200)).toMatchObject(FULL);
  expect(await person.call('GET', FILES)).toMatchObject({ body: { total: 1 } });
  await verifyEmail(smtp, person);
  expect(await upload(person, 5_000)).toMatchObject({ status: 201 });
});

test('accounts whose address is not verified share one room, however many there are', async () => {
  ahead += A_MINUTE;
  const [one, other, third] = [await addPerson(world.url), await addPerson(world.url), await addPerson(world.url)];
  const kept = await upload(one, 900);
  expect(kept).toMatchObject({ status: 201 });
  expect(await upload(other, 900)).toMatchObject({ status: 201 });
  expect(await upload(third, 900)).toMatchObject(FULL);
  expect(await third.call('GET', FILES)).toMatchObject({ body: { total: 0 } });
  const verified = await addPerson(world.url);
  await verifyEmail(smtp, verified);
  expect(await upload(verified, 900)).toMatchObject({ status: 201 });
  await one.call('DELETE', `${FILES}/${kept.body.$id}`, {});
  ahead += A_MINUTE;
  expect(await upload(third, 900)).toMatchObject({ status: 201 });
});

test('an account keeps so much in a collection, and others are not concerned', async () => {
  const [person, other] = [await addPerson(world.url), await addPerson(world.url)];
  const write = (by: ServiceClient, documentId: string, length: number): Promise<Reply> =>
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
  expect(await write(operatorOf(world), 'large', 10_000)).toMatchObject({ status: 201 });
});

test('many small documents count for more than their letters', async () => {
  const person = await addPerson(world.url);
  const statuses: number[] = [];
  for (let n = 0; n < 20; n += 1) {
    const made = await person.call('POST', NOTES, { documentId: 'unique()', data: { text: 'x' } });
    statuses.push(made.status);
  }
  expect(statuses).toContain(403);
});
