import { inject, expect, test, beforeAll, afterAll, describe } from 'vitest';
import { directChat } from '@dostar/protocol/ids';
import type { MessageId } from '@dostar/protocol/ids';
import * as contract from '@dostar/protocol/contract/messages';
import { sql } from 'kysely';
import { accountSubject, readEvent } from '../src/features/messaging/mailbox/events.ts';
import { makePendingCopies } from '../src/features/messaging/mailbox/jobs.ts';
import { decideContact, setContact } from '../src/features/people/contacts/service.ts';
import { accountOn, newMessageId, startTestCluster } from './test-cluster.ts';
import type { Person, TestCluster } from './test-cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  // Without a worker: pending copies are made when a test calls for them.
  const env = { ROLES: 'api,gateway' };
  cluster = await startTestCluster({
    postgresUrl: inject('postgresUrl'),
    natsUrl: inject('natsUrl'),
    env,
    isRestricted: true,
  });
});
afterAll(() => cluster[Symbol.asyncDispose]());

async function addFriends(shards: [number, number]): Promise<[Person, Person]> {
  const [alice, bob] = [await cluster.addAccount(shards[0]), await cluster.addAccount(shards[1])];
  await cluster.befriend(alice, bob);
  return [alice, bob];
}

describe.each([
  ['on one shard', [0, 0]],
  ['on two shards', [0, 1]],
] as [string, [number, number]][])('between accounts %s', (_where, shards) => {
  test('S1: a message is stored in both mailboxes, numbered, with the same bytes and time', async () => {
    const [alice, bob] = await addFriends(shards);
    const id = newMessageId();

    const sent = await cluster.send(alice, bob, 'hello', id);

    expect(sent).toMatchObject({ status: 200, body: { state: 'new', seq: 1, peerSeq: 1, epoch: 1 } });
    const [theirs] = await cluster.listEntries(bob);
    const [own] = await cluster.listEntries(alice);
    const body = Buffer.from('hello').toString('base64url');
    const chat = directChat(alice.account, bob.account);
    expect(theirs).toMatchObject({ seq: 1, id, sender: alice.account, chat, body, at: sent.body.at });
    expect(own).toMatchObject({ seq: 1, id, sender: alice.account, chat, body, at: sent.body.at, peerSeq: 1 });
  });

  test('S2: a message sent twice is stored once in each mailbox and gets the same answer', async () => {
    const [alice, bob] = await addFriends(shards);
    const id = newMessageId();

    const first = await cluster.send(alice, bob, 'once', id);
    const again = await cluster.send(alice, bob, 'once', id);

    expect(again.body).toEqual({ ...first.body, state: 'duplicate' });
    expect(await cluster.listEntries(bob)).toHaveLength(1);
    expect(await cluster.listEntries(alice)).toHaveLength(1);
  });

  test('S3: the first stored bytes are the message, also in a copy made later', async () => {
    const [alice, bob] = await addFriends(shards);
    const id = newMessageId();
    await cluster.send(alice, bob, 'first words', id);
    // Simulates a crash between the two shards.
    await cluster.ctx.shards.of(alice.account).transact(async (db) => {
      await db.deleteFrom('log').where('owner', '=', alice.account).execute();
      await db.updateTable('mailbox').set({ last_seq: 0 }).where('owner', '=', alice.account).execute();
    });

    await cluster.send(alice, bob, 'other words', id);

    const body = Buffer.from('first words').toString('base64url');
    expect(await cluster.listEntries(bob)).toMatchObject([{ body }]);
    expect(await cluster.listEntries(alice)).toMatchObject([{ body }]);
  });

  test('M3: the same id from both sides is two messages', async () => {
    const [alice, bob] = await addFriends(shards);
    const id = newMessageId();

    await cluster.send(alice, bob, 'from alice', id);
    await cluster.send(bob, alice, 'from bob', id);

    expect(await cluster.listEntries(bob)).toMatchObject([{ sender: alice.account }, { sender: bob.account }]);
    expect(await cluster.listEntries(alice)).toMatchObject([{ sender: alice.account }, { sender: bob.account }]);
  });

  test('M1: a hundred messages at once are numbered without a gap', async () => {
    const [alice, bob] = await addFriends(shards);

    const sent = await Promise.all(Array.from({ length: 100 }, (_, n) => cluster.send(alice, bob, `number ${n}`)));

    expect(sent.every((answer) => answer.status === 200)).toBe(true);
    for (const person of [alice, bob]) {
      const numbers = (await cluster.listEntries(person)).map((entry) => entry.seq);
      expect(numbers).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
    }
  });

  test('S6: a message encrypted for an old device list is refused and stored nowhere', async () => {
    const [alice, bob] = await addFriends(shards);
    await raiseDeviceRev(bob);
    const send = (peer: number, own = 0) =>
      cluster.call(contract.sendMessage, alice, { id, to: bob.account, body: 'eA', devices: { own, peer } });
    const id = newMessageId();

    expect(await send(0)).toMatchObject({ status: 409, body: { error: 'stale_devices' } });
    expect([await cluster.listEntries(bob), await cluster.listEntries(alice)]).toEqual([[], []]);
    expect(await send(1, 5)).toMatchObject({ status: 409 });
    expect([await cluster.listEntries(bob), await cluster.listEntries(alice)]).toEqual([[], []]);
    expect(await send(1)).toMatchObject({ status: 200, body: { state: 'new' } });
    // The revision is checked after the duplicate check: a repeat of a stored message is answered, whatever has changed
    // since.
    await raiseDeviceRev(bob);
    expect(await send(1)).toMatchObject({ status: 200, body: { state: 'duplicate' } });
    await raiseDeviceRev(alice);
    expect(await send(1)).toMatchObject({ status: 200, body: { state: 'duplicate' } });
  });

  test.each([
    ['with its device lists', { devices: { own: 0, peer: 0 } }],
    ['without', {}],
  ])('S2: an id that names a message of another chat is refused, sent %s, and stored nowhere', async (_how, lists) => {
    const [alice, bob] = await addFriends(shards);
    const carol = await cluster.addAccount(shards[1]);
    await cluster.befriend(alice, carol);
    const id = newMessageId();
    await cluster.call(contract.sendMessage, alice, { id, to: bob.account, body: 'eA', ...lists });

    const again = await cluster.call(contract.sendMessage, alice, { id, to: carol.account, body: 'eA', ...lists });

    expect(again).toMatchObject({ status: 409, body: { error: 'id_taken' } });
    expect(await cluster.listEntries(carol)).toEqual([]);
    expect(await cluster.listEntries(alice)).toMatchObject([{ id, chat: directChat(alice.account, bob.account) }]);
  });

  test('S2: an erasure under the id of a message of another chat is refused and stored nowhere', async () => {
    const [alice, bob] = await addFriends(shards);
    const carol = await cluster.addAccount(shards[1]);
    await cluster.befriend(alice, carol);
    const [id, kept] = [newMessageId(), newMessageId()];
    await cluster.send(alice, bob, 'to bob', id);
    await cluster.send(alice, carol, 'to carol', kept);

    const refused = { status: 409, body: { error: 'id_taken' } };
    expect(await eraseEverywhere(alice, carol, kept, id)).toMatchObject(refused);

    expect(await cluster.listEntries(carol)).toMatchObject([{ id: kept, body: expect.any(String) }]);
    expect(await cluster.listEntries(alice)).toMatchObject([{ id }, { id: kept, body: expect.any(String) }]);
  });

  test('S3: an erasure sent again with another target changes nothing, and its copy keeps the first', async () => {
    const [alice, bob] = await addFriends(shards);
    const [first, second, id] = [newMessageId(), newMessageId(), newMessageId()];
    await cluster.send(alice, bob, 'one', first);
    await cluster.send(alice, bob, 'two', second);
    await eraseEverywhere(alice, bob, first, id);

    expect(await eraseEverywhere(alice, bob, second, id)).toMatchObject({ status: 409, body: { error: 'id_taken' } });

    for (const person of [alice, bob]) {
      const [gone, kept, erasure] = await cluster.listEntries(person);
      expect(gone).not.toHaveProperty('body');
      expect(kept).toHaveProperty('body');
      expect(erasure).toMatchObject({ erases: { id: first } });
    }
  });

  test('S7: a stranger may write once until accepted, and not at all once blocked', async () => {
    const [stranger, bob] = [await cluster.addAccount(shards[0]), await cluster.addAccount(shards[1])];

    expect(await cluster.send(stranger, bob, 'may I?')).toMatchObject({ status: 200 });
    expect(await cluster.send(stranger, bob, 'please')).toMatchObject({
      status: 403,
      body: { error: 'request_pending' },
    });
    await setContact(cluster.ctx, bob.account, stranger.account, 'accepted');
    expect(await cluster.send(stranger, bob, 'thanks')).toMatchObject({ status: 200 });
    await setContact(cluster.ctx, bob.account, stranger.account, 'blocked');
    expect(await cluster.send(stranger, bob, 'hello?')).toMatchObject({ status: 403, body: { error: 'blocked' } });

    expect(await cluster.listEntries(bob)).toHaveLength(2);
    expect(await cluster.listEntries(stranger)).toHaveLength(2);
  });

  test('S7: of two first messages of a stranger that arrive together one is a request and one is refused', async () => {
    const [stranger, bob] = [await cluster.addAccount(shards[0]), await cluster.addAccount(shards[1])];
    const answers = await Promise.all([cluster.send(stranger, bob, 'one'), cluster.send(stranger, bob, 'two')]);
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200, 403]));
  });

  test.each(['stranger', 'asked', 'declined', 'met by contacts only'])(
    'S7: who is %s puts no erasure of what was never there into another mailbox',
    async (standing) => {
      const [stranger, bob] = [await cluster.addAccount(shards[0]), await cluster.addAccount(shards[1])];
      if (standing === 'asked' || standing === 'declined') await ask(stranger, bob, standing);
      if (standing === 'met by contacts only') await acceptOnlyContacts(bob);

      expect(await eraseEverywhere(stranger, bob, newMessageId())).toMatchObject({
        status: 403,
        body: { error: 'request_pending' },
      });

      expect([await cluster.listEntries(bob), await cluster.listEntries(stranger)]).toEqual([[], []]);
    },
  );

  test.each(['asked', 'declined'] as const)(
    'S7: who is %s takes their request back, once, however it was erased meanwhile',
    async (standing) => {
      const [stranger, bob] = [await cluster.addAccount(shards[0]), await cluster.addAccount(shards[1])];
      const [id, erasure] = [newMessageId(), newMessageId()];
      await cluster.send(stranger, bob, 'may I?', id);
      await ask(stranger, bob, standing);
      const chat = directChat(stranger.account, bob.account);
      const target = { sender: stranger.account, id };
      if (standing === 'declined') await cluster.call(contract.eraseMessage, bob, { id: newMessageId(), chat, target });
      const before = (await cluster.listEntries(bob)).length;

      expect(await eraseEverywhere(stranger, bob, id, erasure)).toMatchObject({ status: 200 });
      expect(await eraseEverywhere(stranger, bob, id, erasure)).toMatchObject({ status: 200 });
      const refused = { status: 403, body: { error: 'request_pending' } };
      expect(await eraseEverywhere(stranger, bob, id)).toMatchObject(refused);
      expect(await eraseEverywhere(stranger, bob, erasure)).toMatchObject(refused);

      const mail = await cluster.listEntries(bob);
      expect(mail).toHaveLength(before + 1);
      expect(mail[0]).not.toHaveProperty('body');
      expect(mail.at(-1)).toMatchObject({ id: erasure, erases: target });
    },
  );

  test('M5: erasing everywhere drops both bodies and keeps the numbers', async () => {
    const [alice, bob] = await addFriends(shards);
    const id = newMessageId();
    await cluster.send(alice, bob, 'a slip', id);

    const erased = await eraseEverywhere(alice, bob, id);

    expect(erased).toMatchObject({ status: 200, body: { seq: 2 } });
    for (const person of [alice, bob]) {
      const [message, erasure] = await cluster.listEntries(person);
      expect(message).toMatchObject({ seq: 1, kind: 'mail', id });
      expect(message).not.toHaveProperty('body');
      expect(erasure).toMatchObject({ seq: 2, kind: 'erasure', erases: { sender: alice.account, id } });
    }
  });
});

test("M5: another account's message is erased from one's own mailbox only", async () => {
  const [alice, bob] = await addFriends([0, 1]);
  const id = newMessageId();
  await cluster.send(alice, bob, 'keep', id);
  const chat = directChat(alice.account, bob.account);
  const target = { sender: alice.account, id };

  const everywhere = { id: newMessageId(), chat, target, everywhere: alice.account };
  expect(await cluster.call(contract.eraseMessage, bob, everywhere)).toMatchObject({ status: 403 });
  // The proof is for Bob's other browsers.
  const own = { id: newMessageId(), chat, target, proof: 'p'.repeat(42) + 'A' };
  expect(await cluster.call(contract.eraseMessage, bob, own)).toMatchObject({ status: 200 });

  expect((await cluster.listEntries(bob))[0]).not.toHaveProperty('body');
  expect((await cluster.listEntries(bob))[1]).toMatchObject({ kind: 'erasure', erases: target, proof: own.proof });
  expect((await cluster.listEntries(alice))[0]).toHaveProperty('body');
});

test('S3: an erasure sent again with another proof is published with the stored proof', async () => {
  const alice = await cluster.addAccount();
  const [message, id] = [newMessageId(), newMessageId()];
  await cluster.send(alice, alice, 'note to self', message);
  const proofs: unknown[] = [];
  const stop = await cluster.ctx.bus.subscribe(accountSubject(alice.account), (payload) => {
    const event = readEvent(payload);
    if (event?.kind === 'entry') proofs.push(JSON.parse(event.frame).entry.proof);
  });
  const [first, other] = ['p'.repeat(42) + 'A', 'q'.repeat(42) + 'A'];
  const chat = directChat(alice.account, alice.account);
  const erasure = { id, chat, target: { sender: alice.account, id: message } };

  await cluster.call(contract.eraseMessage, alice, { ...erasure, proof: first });
  await cluster.call(contract.eraseMessage, alice, { ...erasure, proof: other });

  await expect.poll(() => proofs).toEqual([first, first]);
  stop();
});

test("S4: the sender's copy that an interrupted send left pending is made by the worker", async () => {
  const [alice, bob] = await addFriends([0, 1]);
  const id = newMessageId();
  await cluster.send(alice, bob, 'interrupted', id);
  await cluster.ctx.shards.of(alice.account).transact(async (db) => {
    await db.deleteFrom('log').where('owner', '=', alice.account).execute();
    await db.updateTable('mailbox').set({ last_seq: 0 }).where('owner', '=', alice.account).execute();
  });
  await cluster.ctx.shards.of(bob.account).query((db) =>
    db
      .insertInto('owed')
      .values({ owner: bob.account, seq: 1, target: alice.account, since: 0 })
      .onConflict((conflict) => conflict.columns(['owner', 'seq']).doUpdateSet({ since: 0 }))
      .execute(),
  );

  await makePendingCopies(cluster.ctx, 10_000);

  expect(await cluster.listEntries(alice)).toMatchObject([{ id, seq: 1, peerSeq: 1 }]);
  await expect.poll(() => countPendingCopies(bob)).toBe(0);
});

test('S4: a copy that was made is no longer pending', async () => {
  const [alice, bob] = await addFriends([0, 1]);
  await cluster.send(alice, bob, 'made at once');
  await expect.poll(() => countPendingCopies(bob)).toBe(0);
});

test('a message to oneself is stored once', async () => {
  const alice = await cluster.addAccount();
  expect(await cluster.send(alice, alice, 'note to self')).toMatchObject({ status: 200, body: { seq: 1, peerSeq: 1 } });
  expect(await cluster.listEntries(alice)).toHaveLength(1);
});

test('a message to an unknown account is refused', async () => {
  const alice = await cluster.addAccount();
  const nobody = { account: accountOn(0), token: '' };
  expect(await cluster.send(alice, nobody, 'anyone?')).toMatchObject({
    status: 404,
    body: { error: 'unknown_account' },
  });
  expect(await cluster.listEntries(alice)).toEqual([]);
});

test('a chat is read backwards, page by page', async () => {
  const [alice, bob] = await addFriends([0, 1]);
  const carol = await cluster.addAccount();
  await cluster.befriend(alice, carol);
  for (let n = 1; n <= 5; n += 1) {
    await cluster.send(alice, bob, `to bob ${n}`);
    await cluster.send(carol, alice, `from carol ${n}`);
  }
  const chat = directChat(alice.account, bob.account);

  const newest = await cluster.call(contract.listChat, alice, { chat, limit: 3 });
  const older = await cluster.call(contract.listChat, alice, { chat, limit: 3, before: newest.body.entries[2].seq });

  const seqs = [...newest.body.entries, ...older.body.entries].map((entry: { seq: number }) => entry.seq);
  expect(seqs).toEqual([9, 7, 5, 3, 1]);
});

function eraseEverywhere(who: Person, other: Person, target: MessageId, id = newMessageId()) {
  return cluster.call(contract.eraseMessage, who, {
    id,
    chat: directChat(who.account, other.account),
    target: { sender: who.account, id: target },
    everywhere: other.account,
  });
}

async function ask(asker: Person, asked: Person, answer: 'asked' | 'declined'): Promise<void> {
  await decideContact(cluster.ctx, asker.account, asked.account, 'accept');
  if (answer === 'declined') await decideContact(cluster.ctx, asked.account, asker.account, 'decline');
}

async function acceptOnlyContacts({ account }: Person): Promise<void> {
  await cluster.ctx.shards
    .of(account)
    .query((db) => db.insertInto('privacy').values({ owner: account, writers: 'contacts' }).execute());
}

async function raiseDeviceRev(person: Person): Promise<void> {
  await cluster.ctx.shards
    .of(person.account)
    .query((db) => sql`update mailbox set device_rev = device_rev + 1 where owner = ${person.account}`.execute(db));
}

async function countPendingCopies(person: Person): Promise<number> {
  const rows = await cluster.ctx.shards
    .of(person.account)
    .query((db) => db.selectFrom('owed').select('seq').where('owner', '=', person.account).execute());
  return rows.length;
}
