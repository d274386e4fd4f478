import { randomUUID } from 'node:crypto';
import { getContacts } from '@dostar/protocol/contract/contacts';
import * as contract from '@dostar/protocol/contract/invites';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { decideContact } from '../src/features/people/contacts/service.ts';
import { listContactSides } from '../src/features/people/contacts/store.ts';
import { startTestCluster } from './test-cluster.ts';
import type { Person, TestCluster } from './test-cluster.ts';

let cluster: TestCluster;
let now = Date.now();
beforeAll(async () => {
  const overrides = { clock: { now: () => now } };
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl'), overrides });
});
afterAll(() => cluster[Symbol.asyncDispose]());

async function invite(person: Person, replaces?: string): Promise<{ token: string; invite: contract.Invite }> {
  return (await cluster.call(contract.createInvite, person, replaces === undefined ? {} : { replaces })).body;
}

function redeem(guest: Person, token: string, act = randomUUID()) {
  return cluster.call(contract.redeemInvite, guest, { act, token });
}

async function stateOf(owner: Person, peer: Person): Promise<string | undefined> {
  const [side] = await cluster.ctx.shards
    .of(owner.account)
    .query((db) => listContactSides(db, [owner.account], peer.account));
  return side?.state;
}

const GONE = { status: 404, body: { error: 'invite_gone' } };

test('I1: opening an invite makes contacts of both sides, who can write', async () => {
  const [host, guest] = [await cluster.addAccount(0), await cluster.addAccount(1)];
  const { token } = await invite(host);
  expect(await redeem(guest, token)).toMatchObject({
    status: 200,
    body: { user: { id: host.account }, state: 'accepted' },
  });
  for (const person of [host, guest]) {
    const { body } = await cluster.call(getContacts, person);
    expect(body.users).toMatchObject([{ contact: { state: 'accepted', peerAccepts: true } }]);
  }
  for (let n = 0; n < 2; n += 1) expect(await cluster.send(guest, host, 'here I am')).toMatchObject({ status: 200 });
});

test('I2: an invite admits twenty guests; a guest who opens it twice counts once', async () => {
  const host = await cluster.addAccount(0);
  const { token, invite: made } = await invite(host);
  const guests = await Promise.all(Array.from({ length: contract.INVITE_USES + 3 }, () => cluster.addAccount()));
  expect(await redeem(guests[0]!, token)).toMatchObject({ status: 200 });
  expect(await redeem(guests[0]!, token)).toMatchObject({ status: 200 });
  expect((await cluster.call(contract.listInvites, host)).body.invites).toEqual([{ ...made, usesLeft: 19 }]);
  const answers = await Promise.all(guests.slice(1).map((guest) => redeem(guest, token)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(contract.INVITE_USES - 1);
  // An earlier guest is still a contact.
  expect(await redeem(guests[0]!, token)).toMatchObject({ status: 200 });
});

test('I2: a withdrawn, replaced, expired or invented invite adds no contact', async () => {
  const [host, guest] = [await cluster.addAccount(0), await cluster.addAccount(1)];
  const [first, second] = [await invite(host), await invite(host)];
  await cluster.call(contract.revokeInvite, host, { id: first.invite.id });
  const third = await invite(host, second.invite.id);
  for (const token of [first.token, second.token, 'A'.repeat(43)]) {
    expect(await redeem(guest, token)).toMatchObject(GONE);
  }
  now += contract.INVITE_LIVES_MS + 1;
  expect(await redeem(guest, third.token)).toMatchObject(GONE);
  expect((await cluster.call(getContacts, host)).body.users).toEqual([]);
});

test('I3: an invite adds no blocked account, and only its owner withdraws it', async () => {
  const [host, guest, other] = [await cluster.addAccount(0), await cluster.addAccount(1), await cluster.addAccount(0)];
  const { token, invite: made } = await invite(host);
  await decideContact(cluster.ctx, host.account, guest.account, 'block');
  expect(await redeem(guest, token)).toMatchObject(GONE);
  await cluster.call(contract.revokeInvite, other, { id: made.id });
  expect(await redeem(other, token)).toMatchObject({ status: 200 });
  expect(await redeem(host, token)).toMatchObject({ status: 403 });
});

test('I3: using an invite again does not undo later decisions', async () => {
  const [host, guest] = [await cluster.addAccount(0), await cluster.addAccount(1)];
  const { token } = await invite(host);
  const act = randomUUID();
  await redeem(guest, token, act);
  await decideContact(cluster.ctx, guest.account, host.account, 'remove');
  expect(await redeem(guest, token, act)).toMatchObject({ body: { state: 'none' } });
});

test("I3: a removed contact can't use the same invite again", async () => {
  const [host, guest] = [await cluster.addAccount(0), await cluster.addAccount(1)];
  const { token, invite: made } = await invite(host);
  const act = randomUUID();
  await redeem(guest, token, act);
  await decideContact(cluster.ctx, host.account, guest.account, 'remove');
  expect(await redeem(guest, token)).toMatchObject(GONE);
  await cluster.ctx.shards
    .of(host.account)
    .query((db) => db.updateTable('invite').set({ uses_left: 0 }).where('id', '=', made.id).execute());
  expect(await redeem(guest, token)).toMatchObject(GONE);
  // A repeat after a lost answer is not a second use.
  expect(await redeem(guest, token, act)).toMatchObject({ status: 200 });
  expect(await stateOf(host, guest)).toBe('none');
});

test('I4: the server does not store the token, and an account has at most ten invites', async () => {
  const host = await cluster.addAccount(0);
  const { token } = await invite(host);
  for (let n = 1; n < contract.MAX_INVITES; n += 1) await invite(host);
  const eleventh = await cluster.call(contract.createInvite, host, {});
  expect(eleventh).toMatchObject({ status: 409, body: { error: 'too_many' } });
  const secret = Buffer.from(token, 'base64url').subarray(16);
  const { rows } = await cluster.ctx.shards
    .byId(0)
    .query((db) => sql<{ row: string }>`select i::text as row from invite i`.execute(db));
  expect(rows.length).toBeGreaterThanOrEqual(10);
  for (const { row } of rows) expect(row).not.toContain(secret.toString('hex'));
});
