/** Limits on queued events of a device that does not fetch them, in total and by sender (SPEC D6). */
import { uploadKeys } from '@dostar/protocol/contract/device-keys';
import type { AccountId } from '@dostar/protocol/ids';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { decideContact, setContact } from '../src/features/people/contacts/service.ts';
import { queueEvents } from '../src/features/encryption/to-device/store.ts';
import { TestDevice } from './test-device.ts';
import { startTestCluster } from './test-cluster.ts';
import type { SignedIn, TestCluster } from './test-cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') });
});
afterAll(() => cluster[Symbol.asyncDispose]());

async function addFriends(): Promise<[SignedIn, SignedIn]> {
  const [alice, bob] = await cluster.addFriends();
  await addKeys(bob);
  return [alice, bob];
}

async function addKeys(person: SignedIn): Promise<void> {
  const device_keys = new TestDevice(person).deviceKeys;
  expect(await cluster.call(uploadKeys, person, { device_keys })).toMatchObject({ status: 200 });
}

async function ask(asker: SignedIn, asked: SignedIn): Promise<void> {
  await decideContact(cluster.ctx, asker.account, asked.account, 'accept');
}

let txns = 0;
const nextTxn = () => `txn${(txns += 1)}`;

async function countBySender(person: SignedIn): Promise<Map<AccountId, number>> {
  const { rows } = await cluster.ctx.shards.of(person.account).query((db) =>
    sql<{ sender: AccountId; count: number }>`select sender, count(*)::int as count from to_device
      where owner = ${person.account} and device = ${person.device} group by sender`.execute(db),
  );
  return new Map(rows.map(({ sender, count }) => [sender, count]));
}

/** Queues many events of one sender with one statement. */
async function pile({ account: sender, device }: SignedIn, to: SignedIn, count: number): Promise<void> {
  const events = Array.from({ length: count }, () => ({ owner: to.account, device: to.device, event: '{}' }));
  const sending = { sender, device, txn: nextTxn(), now: 0 };
  await cluster.ctx.shards.of(to.account).query((db) => queueEvents(db, events, sending));
}

/** Queues events as if they had been sent long ago, within every limit. */
async function fill({ account, device }: SignedIn, count: number, sender: AccountId): Promise<void> {
  await cluster.ctx.shards.of(account).transact(async (db) => {
    await sql`insert into to_device (owner, device, seq, sender, event)
      select ${account}, ${device}, n, ${sender}::uuid, '{}' from generate_series(1, ${count}::int) n`.execute(db);
    await sql`update mailbox set to_device = ${count} where owner = ${account}`.execute(db);
  });
}

test('D6: the queue of a silent device keeps the newest 5,000 events', async () => {
  const [alice, bob] = await addFriends();
  const carol = await cluster.addAccount(0);
  await cluster.befriend(carol, bob);
  await fill(bob, 5_000, carol.account);
  await pile(alice, bob, 1);
  expect(await countBySender(bob)).toEqual(
    new Map([
      [alice.account, 1],
      [carol.account, 4_999],
    ]),
  );
});

test('D6: 20 events of each requester are kept, 500 of all, and none of a contact are dropped for them', async () => {
  const [alice, bob] = await addFriends();
  await pile(alice, bob, 10);
  const askers = await Promise.all(Array.from({ length: 26 }, () => cluster.addAccount(0)));
  for (const asker of askers) {
    await ask(asker, bob);
    await pile(asker, bob, 200);
  }
  const counts = await countBySender(bob);
  expect(counts.get(alice.account)).toBe(10);
  expect(askers.map((asker) => counts.get(asker.account) ?? 0)).toEqual([0, ...askers.slice(1).map(() => 20)]);
});

test('D6: a requester who was accepted meanwhile has the limit of a contact', async () => {
  const [bob, asker] = [await cluster.addAccount(1), await cluster.addAccount(0)];
  await addKeys(bob);
  await ask(asker, bob);
  await pile(asker, bob, 30);
  expect((await countBySender(bob)).get(asker.account)).toBe(20);
  await setContact(cluster.ctx, bob.account, asker.account, 'accepted');
  await pile(asker, bob, 230);
  expect((await countBySender(bob)).get(asker.account)).toBe(200);
});

test('D6: of more than 5,000 events those of requesters are dropped first', async () => {
  const [alice, bob] = await addFriends();
  await fill(bob, 4_990, bob.account);
  const asker = await cluster.addAccount(0);
  await ask(asker, bob);
  await pile(asker, bob, 10);
  await pile(alice, bob, 7);
  expect(await countBySender(bob)).toEqual(
    new Map([
      [alice.account, 7],
      [asker.account, 3],
      [bob.account, 4_990],
    ]),
  );
  await pile(alice, bob, 7);
  expect(await countBySender(bob)).toEqual(
    new Map([
      [alice.account, 14],
      [bob.account, 4_986],
    ]),
  );
});
