import { randomUUID } from 'node:crypto';
import { contactKey } from '@dostar/protocol/contract/contacts';
import type { Decision } from '@dostar/protocol/contract/contacts';
import { checkRecipient } from '@dostar/protocol/contract/messages';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { notifyPending } from '../src/features/people/contacts/jobs.ts';
import { decide } from '../src/features/people/contacts/rules.ts';
import type { ContactSide } from '../src/features/people/contacts/rules.ts';
import {
  admitContact,
  decideContact,
  listReachable,
  canReach,
  setContact,
} from '../src/features/people/contacts/service.ts';
import { changeContactState } from '../src/features/people/contacts/contact-state.ts';
import { findContact } from '../src/features/people/contacts/store.ts';
import { listRegisters } from '../src/features/messaging/mailbox/service.ts';
import { changePrivacy } from '../src/features/people/privacy/service.ts';
import { startTestCluster } from './test-cluster.ts';
import type { Person, TestCluster } from './test-cluster.ts';

const AT_ONCE = -1_000;

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') });
});
afterAll(() => cluster[Symbol.asyncDispose]());

async function addTwo(shards: [number, number]): Promise<[Person, Person]> {
  return [await cluster.addAccount(shards[0]), await cluster.addAccount(shards[1])];
}

async function sideOf(owner: Person, peer: Person) {
  const row = await cluster.ctx.shards
    .of(owner.account)
    .query((db) =>
      db
        .selectFrom('contact')
        .select(['state', 'before_block as beforeBlock', 'peer_accepts as peerAccepts'])
        .where('owner', '=', owner.account)
        .where('peer', '=', peer.account)
        .executeTakeFirst(),
    );
  return row ?? { state: 'none', beforeBlock: 'none', peerAccepts: false };
}

describe.each([
  ['on one shard', [0, 0]],
  ['on two shards', [0, 1]],
] as [string, [number, number]][])('between accounts %s', (_where, shards) => {
  test('W1: keys are reached between contacts and the parties of a request, and by no one else', async () => {
    const [alice, bob] = await addTwo(shards);
    const reach = async () => [
      await canReach(cluster.ctx, alice.account, bob.account),
      await canReach(cluster.ctx, bob.account, alice.account),
    ];
    expect(await reach()).toEqual([false, false]);
    await decideContact(cluster.ctx, alice.account, bob.account, 'accept');
    expect(await reach()).toEqual([true, true]);
    await decideContact(cluster.ctx, bob.account, alice.account, 'decline');
    expect(await reach()).toEqual([false, true]);
    await decideContact(cluster.ctx, bob.account, alice.account, 'accept');
    expect(await reach()).toEqual([true, true]);
    await decideContact(cluster.ctx, bob.account, alice.account, 'block');
    expect(await reach()).toEqual([false, true]);
    expect(await listReachable(cluster.ctx, alice.account, [alice.account, bob.account])).toEqual([alice.account]);
  });

  test('W3: if a process crashes between the two sides, the next one delivers its pending statement', async () => {
    const [alice, bob] = await addTwo(shards);
    await changeContactState(cluster.ctx, {
      owner: alice.account,
      peer: bob.account,
      run: (side) => decide(side, 'accept'),
    });
    expect(await sideOf(bob, alice)).toMatchObject({ state: 'none' });

    expect(await notifyPending(cluster.ctx, AT_ONCE)).toBe(1);
    expect(await sideOf(bob, alice)).toMatchObject({ state: 'asked', peerAccepts: true });
    expect(await notifyPending(cluster.ctx, AT_ONCE)).toBe(0);
  });

  test('W4: a decision that is repeated after a later one changes nothing', async () => {
    const [alice, bob] = await addTwo(shards);
    const unblocking = randomUUID();
    await setContact(cluster.ctx, alice.account, bob.account, 'blocked');
    await decideContact(cluster.ctx, alice.account, bob.account, 'unblock', unblocking);
    await decideContact(cluster.ctx, alice.account, bob.account, 'block', randomUUID());
    const { contact } = await decideContact(cluster.ctx, alice.account, bob.account, 'unblock', unblocking);
    expect(contact.state).toBe('blocked');
  });

  test('S7: checkRecipient reports a block and an unknown account, and not a declined request', async () => {
    const [alice, bob] = await addTwo(shards);
    const ask = (to: string) => cluster.call(checkRecipient, alice, { to });
    expect(await ask(bob.account)).toMatchObject({ status: 200 });
    await decideContact(cluster.ctx, bob.account, alice.account, 'decline');
    expect(await ask(bob.account)).toMatchObject({ status: 200 });
    await decideContact(cluster.ctx, bob.account, alice.account, 'block');
    expect(await ask(bob.account)).toMatchObject({ status: 403, body: { error: 'blocked' } });
    expect(await ask(randomUUID())).toMatchObject({ body: { error: 'unknown_account' } });
  });

  test('S7: a declined stranger cannot write, not even a first message', async () => {
    const [stranger, bob] = await addTwo(shards);
    await decideContact(cluster.ctx, stranger.account, bob.account, 'accept');
    await decideContact(cluster.ctx, bob.account, stranger.account, 'decline');
    expect(await cluster.send(stranger, bob, 'hello?')).toMatchObject({ body: { error: 'request_pending' } });
    expect(await cluster.listEntries(bob)).toEqual([]);
  });
});

/** Expects no row and no register, which would otherwise exist for every stranger. */
async function expectNothingKept(owner: Person, peer: Person): Promise<void> {
  const shard = cluster.ctx.shards.of(owner.account);
  const row = await shard.query((db) => findContact(db, owner.account, peer.account));
  const { registers } = await listRegisters(cluster.ctx, owner.account, 0);
  expect(row).toBeUndefined();
  expect(registers.map(({ key }) => key)).not.toContain(contactKey(peer.account));
}

async function fillWithRequests({ account }: Person): Promise<void> {
  await cluster.ctx.shards.of(account).query((db) =>
    sql`insert into contact (owner, peer, state, peer_accepts, peer_turn)
      select ${account}, gen_random_uuid(), 'asked', true, 1 from generate_series(1, 1000)`.execute(db),
  );
}

describe.each([
  ['takes mail from contacts only', (bob: Person) => changePrivacy(cluster.ctx, bob.account, { writers: 'contacts' })],
  ['has a thousand requests', fillWithRequests],
])('somebody who %s', (_why, close) => {
  test('W5: stores nothing about a stranger who requests, withdraws and requests again', async () => {
    const [alice, bob] = await addTwo([0, 1]);
    await close(bob);
    for (const decision of ['accept', 'remove', 'accept'] as const) {
      await decideContact(cluster.ctx, alice.account, bob.account, decision);
      await expectNothingKept(bob, alice);
    }
    expect(await notifyPending(cluster.ctx, AT_ONCE)).toBe(0);
  });

  test('W3: adding an earlier requester makes them contacts, though every process dies', async () => {
    const [alice, bob] = await addTwo([0, 1]);
    await close(bob);
    await decideContact(cluster.ctx, alice.account, bob.account, 'accept');
    for (const decision of ['accept', 'remove', 'accept'] as const) {
      const run = (side: ContactSide) => decide(side, decision);
      await changeContactState(cluster.ctx, { owner: bob.account, peer: alice.account, run });
    }
    while ((await notifyPending(cluster.ctx, AT_ONCE)) > 0);
    expect(await sideOf(bob, alice)).toMatchObject({ state: 'accepted', peerAccepts: true });
    expect(await sideOf(alice, bob)).toMatchObject({ state: 'accepted', peerAccepts: true });
  });

  test('W2: accepts invited users and earlier requesters at once', async () => {
    const [alice, bob] = await addTwo([0, 1]);
    await close(bob);
    await decideContact(cluster.ctx, alice.account, bob.account, 'accept');
    await admitContact(cluster.ctx, bob.account, alice.account, randomUUID(), () => Promise.resolve(true));
    expect(await sideOf(bob, alice)).toMatchObject({ state: 'accepted', peerAccepts: true });
  });
});

test('W2: a user who accepts requests again gets one from a stranger who asks again', async () => {
  const [alice, bob] = await addTwo([0, 1]);
  await changePrivacy(cluster.ctx, bob.account, { writers: 'contacts' });
  await decideContact(cluster.ctx, alice.account, bob.account, 'accept');
  await changePrivacy(cluster.ctx, bob.account, { writers: 'everybody' });
  for (const decision of ['remove', 'accept'] as const) {
    await decideContact(cluster.ctx, alice.account, bob.account, decision);
  }
  expect(await sideOf(bob, alice)).toMatchObject({ state: 'asked', peerAccepts: true });
});

const who = fc.constantFrom(0 as const, 1 as const);
const step = fc.oneof(
  fc.record({
    kind: fc.constantFrom('decide' as const, 'die' as const, 'repeat' as const),
    who,
    decision: fc.constantFrom<Decision>('accept', 'decline', 'remove', 'block', 'unblock'),
  }),
  fc.record({ kind: fc.constant('settle' as const), who, decision: fc.constant('accept' as const) }),
);

test('W3, W4: random decisions, crashes and repeats on two shards end with both sides agreed and no one unblocked', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
      const pair = await addTwo([0, 1]);
      const done: { who: 0 | 1; decision: Decision; act: string }[] = [];
      for (const { kind, who: one, decision } of steps) {
        const [owner, peer] = [pair[one], pair[one === 0 ? 1 : 0]];
        const before = await sideOf(owner, peer);
        if (kind === 'settle') await notifyPending(cluster.ctx, AT_ONCE);
        else if (kind === 'repeat') {
          for (const old of done.filter((entry) => entry.who === one)) {
            await decideContact(cluster.ctx, owner.account, peer.account, old.decision, old.act);
          }
          expect((await sideOf(owner, peer)).state).toBe(before.state);
        } else {
          const act = randomUUID();
          done.push({ who: one, decision, act });
          const change = {
            owner: owner.account,
            peer: peer.account,
            act,
            run: (side: ContactSide) => decide(side, decision),
          };
          if (kind === 'die') await changeContactState(cluster.ctx, change);
          else await decideContact(cluster.ctx, owner.account, peer.account, decision, act);
          if (before.state === 'blocked' && decision !== 'unblock') {
            expect((await sideOf(owner, peer)).state).toBe('blocked');
          }
        }
      }
      while ((await notifyPending(cluster.ctx, AT_ONCE)) > 0);
      for (const one of [0, 1] as const) {
        const [own, theirs] = [pair[one], pair[one === 0 ? 1 : 0]];
        const { state, beforeBlock } = await sideOf(theirs, own);
        const accepts = state === 'accepted' || (state === 'blocked' && beforeBlock === 'accepted');
        expect((await sideOf(own, theirs)).peerAccepts).toBe(accepts);
      }
    }),
    { numRuns: 15 },
  );
});
