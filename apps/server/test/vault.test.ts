import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { getVault, listVaultRevisions, MAX_SECRETS_BYTES, putVault } from '@dostar/protocol/contract/vault';
import { RECOVERY_RETENTION_MS } from '@dostar/protocol/contract/account-unlock';
import { startSession } from '../src/features/identity/sessions/service.ts';
import { archiveVault, restoreVault } from '../src/features/encryption/vault/service.ts';
import type { z } from 'zod';
import { startTestCluster } from './test-cluster.ts';
import type { SignedIn, TestCluster } from './test-cluster.ts';

let cluster: TestCluster;
let skippedMs = 0;
beforeAll(async () => {
  const clock = { now: () => Date.now() + skippedMs };
  cluster = await startTestCluster({
    postgresUrl: inject('postgresUrl'),
    natsUrl: inject('natsUrl'),
    overrides: { clock },
  });
});
afterAll(() => cluster[Symbol.asyncDispose]());

test('K14: a write must name the current revision; a slower client has to read again', async () => {
  const alice = await cluster.addAccount(1);
  expect(await cluster.call(getVault, alice, { kind: 'secrets' })).toMatchObject({ body: { rev: 0, blob: null } });
  const both = await Promise.all(
    ['AAAA', 'BBBB'].map((blob) => cluster.call(putVault, alice, { kind: 'secrets', rev: 0, blob })),
  );
  expect(both.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(both.find((answer) => answer.status === 409)?.body).toMatchObject({
    error: 'stale_revision',
    details: { rev: 1 },
  });
  expect(await cluster.call(putVault, alice, { kind: 'secrets', rev: 1, blob: 'CCCC' })).toMatchObject({
    body: { rev: 2 },
  });
  expect(await cluster.call(getVault, alice, { kind: 'secrets' })).toMatchObject({ body: { rev: 2, blob: 'CCCC' } });
  expect(await cluster.call(getVault, alice, { kind: 'profile' })).toMatchObject({ body: { rev: 0 } });
});

test('K14: a session without its second factor gets no vault', async () => {
  const alice = await cluster.addAccount(1);
  await cluster.call(putVault, alice, { kind: 'secrets', rev: 0, blob: 'AAAA' });
  const waiting = await startSession(cluster.ctx, alice.account, '', { isPending: true });
  expect((await cluster.call(getVault, waiting, { kind: 'secrets' })).status).toBeGreaterThanOrEqual(401);
  expect(
    (await cluster.call(putVault, waiting, { kind: 'secrets', rev: 1, blob: 'BBBB' })).status,
  ).toBeGreaterThanOrEqual(401);
});

const put = (person: SignedIn, kind: 'secrets' | 'trust', rev: number, blob: string) =>
  cluster.call(putVault, person, { kind, rev, blob });

const list = (person: SignedIn, body: z.input<(typeof listVaultRevisions)['body']>) =>
  cluster.call(listVaultRevisions, person, body);

test('K14: a replaced revision can be read for 30 days, by a re-authenticated session', async () => {
  const alice = await cluster.addAccount(1);
  const blobs = ['AAAA', 'BBBB', 'CCCC'];
  for (const [rev, blob] of blobs.entries()) await put(alice, 'secrets', rev, blob);
  skippedMs += 600_001;
  expect(await list(alice, { kind: 'secrets' })).toMatchObject({ status: 403, body: { error: 'reauthenticate' } });
  const fresh = await startSession(cluster.ctx, alice.account, '');
  const { body } = await list(fresh, { kind: 'secrets' });
  expect(body.revisions).toMatchObject([
    { rev: 2, blob: 'BBBB' },
    { rev: 1, blob: 'AAAA' },
  ]);
  skippedMs += RECOVERY_RETENTION_MS;
  const later = await startSession(cluster.ctx, alice.account, '');
  expect(await list(later, { kind: 'secrets' })).toMatchObject({ body: { revisions: [] } });
});

test('K14: however often a thief writes, the previous revision can be found, page by page', async () => {
  const alice = await cluster.addAccount(1);
  for (let rev = 0; rev < 25; rev += 1) await put(alice, 'secrets', rev, rev === 0 ? 'b3du' : 'dGhpZWY');
  const fresh = await startSession(cluster.ctx, alice.account, '');
  const found: { rev: number; replacedAt: number; blob: string }[] = [];
  for (;;) {
    const last = found.at(-1);
    const before = last && { rev: last.rev, replacedAt: last.replacedAt };
    const { body } = await list(fresh, { kind: 'secrets', ...(before && { before }) });
    if (body.revisions.length === 0) break;
    found.push(...body.revisions);
  }
  expect(found.map(({ rev }) => rev)).toEqual(Array.from({ length: 24 }, (_, n) => 24 - n));
  expect(found.at(-1)).toMatchObject({ blob: 'b3du' });
  const answers = await Promise.all(Array.from({ length: 8 }, () => put(alice, 'secrets', 25, 'dGhpZWY')));
  expect(answers.some(({ status }) => status === 429)).toBe(true);
});

test('K14: for a vault that changes often, one revision an hour is kept', async () => {
  const alice = await cluster.addAccount(1);
  for (let rev = 0; rev < 5; rev += 1) await put(alice, 'trust', rev, 'AAAA');
  skippedMs += 3_600_001;
  await put(alice, 'trust', 5, 'BBBB');
  const fresh = await startSession(cluster.ctx, alice.account, '');
  const { body } = await list(fresh, { kind: 'trust' });
  expect(body.revisions.map(({ rev }: { rev: number }) => rev)).toEqual([5, 1]);
});

test('K14: after a fresh start no revision of the old account key is listed, until the start is undone', async () => {
  const alice = await cluster.addAccount(1);
  await put(alice, 'secrets', 0, 'AAAA');
  await put(alice, 'secrets', 1, 'BBBB');
  const fresh = await startSession(cluster.ctx, alice.account, '');
  const shard = cluster.ctx.shards.of(alice.account);
  await shard.query((db) => archiveVault(db, alice.account, cluster.ctx.clock.now() + RECOVERY_RETENTION_MS));
  expect(await list(fresh, { kind: 'secrets' })).toMatchObject({ body: { revisions: [] } });
  await shard.query((db) => restoreVault(db, alice.account));
  expect(await list(fresh, { kind: 'secrets' })).toMatchObject({ body: { revisions: [{ rev: 1, blob: 'AAAA' }] } });
});

test('K14: the size of secrets is limited', async () => {
  const alice = await cluster.addAccount(1);
  const long = Buffer.alloc(MAX_SECRETS_BYTES + 1).toString('base64url');
  expect(await put(alice, 'secrets', 0, long)).toMatchObject({ status: 413, body: { error: 'too_large' } });
  expect(await put(alice, 'trust', 0, long)).toMatchObject({ status: 200 });
});
