/** A send that crashed between the two shards: the sender's copy is made later, and must equal what was sent. */
import { eraseMessage } from '@dostar/protocol/contract/messages';
import { directChat } from '@dostar/protocol/ids';
import { REALTIME_VERSION } from '@dostar/protocol/realtime';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { makePendingCopies } from '../src/features/messaging/mailbox/jobs.ts';
import { openContext } from '../src/open-context.ts';
import { newMessageId, startTestCluster } from './test-cluster.ts';
import type { Person, TestCluster } from './test-cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  // Without a worker: copies are made when a test calls for them.
  const env = { ROLES: 'api,gateway' };
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl'), env });
});
afterAll(() => cluster[Symbol.asyncDispose]());

/** Deletes the sender's copy, as if the process had crashed right after the recipient's copy. */
async function dropCopy(sender: Person, recipient: Person): Promise<void> {
  await cluster.ctx.shards.of(sender.account).transact(async (db) => {
    await db.deleteFrom('log').where('owner', '=', sender.account).execute();
    await db.updateTable('mailbox').set({ last_seq: 0 }).where('owner', '=', sender.account).execute();
  });
  // Waits, because the live process deletes the pending copy a moment later; a crashed one never does.
  const shard = cluster.ctx.shards.of(recipient.account);
  const listPendingCopies = () =>
    shard.query((db) => db.selectFrom('owed').select('seq').where('owner', '=', recipient.account).execute());
  await expect.poll(listPendingCopies).toEqual([]);
  const copy = { owner: recipient.account, seq: 1, target: sender.account, since: 0 };
  await shard.query((db) => db.insertInto('owed').values(copy).execute());
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}

async function eraseForOneself(who: Person, other: Person, target: { sender: Person; id: string }): Promise<void> {
  const chat = directChat(who.account, other.account);
  const { sender, id } = target;
  const body = { id: newMessageId(), chat, target: { sender: sender.account, id } };
  expect(await cluster.call(eraseMessage, who, body)).toMatchObject({ status: 200 });
}

test('S3: a copy made by a repeat with other bytes is published with the stored bytes', async () => {
  const [alice, bob] = await cluster.addFriends([0, 0]);
  const id = newMessageId();
  await cluster.send(alice, bob, 'first', id);
  await dropCopy(alice, bob);
  using socket = await cluster.connect(alice);
  socket.say({ t: 'resume', v: REALTIME_VERSION, cursor: null });
  await socket.until(() => socket.all('resumed').length === 1, 'resumed');

  await cluster.send(alice, bob, 'second', id);

  await socket.until(() => socket.entries().length === 1, 'the copy');
  expect(socket.entries()).toMatchObject([{ id, body: encode('first') }]);
});

test.each(['the worker', 'a repeat'])(
  'M5: what the recipient erases for themselves is still copied by %s',
  async (who) => {
    const [alice, bob] = await cluster.addFriends([0, 1]);
    const id = newMessageId();
    await cluster.send(alice, bob, 'kept', id);
    await dropCopy(alice, bob);
    await eraseForOneself(bob, alice, { sender: alice, id });

    if (who === 'the worker') await makePendingCopies(cluster.ctx, -60_000);
    else await cluster.send(alice, bob, 'other', id);

    expect(await cluster.listEntries(alice)).toMatchObject([{ id, body: encode('kept') }]);
    expect((await cluster.listEntries(bob))[0]).not.toHaveProperty('body');
  },
);

test('M5: a message that the sender erased everywhere does not reappear with a late copy', async () => {
  const [alice, bob] = await cluster.addFriends([0, 1]);
  const id = newMessageId();
  await cluster.send(alice, bob, 'regretted', id);
  await dropCopy(alice, bob);
  await eraseForOneself(bob, alice, { sender: alice, id });
  const target = { sender: alice.account, id };
  const chat = directChat(alice.account, bob.account);
  await cluster.call(eraseMessage, alice, { id: newMessageId(), chat, target, everywhere: bob.account });

  await makePendingCopies(cluster.ctx, -60_000);

  const copy = (await cluster.listEntries(alice)).find((entry) => entry.id === id);
  expect(copy).toBeDefined();
  expect(copy).not.toHaveProperty('body');
});

test('S4: copies for an unavailable shard do not delay others', async () => {
  const [away, bob] = await cluster.addFriends([1, 0]);
  const [alice] = await cluster.addFriends([0, 0]);
  const shard = cluster.ctx.shards.of(bob.account);
  await shard.query((db) =>
    sql`
      with copy as (
        select n, case when n = 1200 then ${alice.account}::uuid else ${away.account}::uuid end as sender
        from generate_series(1, 1200) n
      ), stored as (
        insert into log (owner, seq, sender, message_id, chat, at, to_device, body)
        select ${bob.account}::uuid, n, sender, gen_random_uuid(), gen_random_uuid(), n, 0, 'x' from copy
      )
      insert into owed (owner, seq, target, since) select ${bob.account}::uuid, n, sender, n from copy`.execute(db),
  );
  const { breaker } = cluster.ctx.shards.of(away.account);
  breaker.failed();
  breaker.failed();

  await makePendingCopies(cluster.ctx, 0);
  breaker.succeeded();

  expect(await cluster.listEntries(alice)).toMatchObject([{ peerSeq: 1200 }]);
});

test('S4: two workers that run at the same time make each copy once', async () => {
  // Deletes the pending copies of earlier tests.
  for (const each of cluster.ctx.shards.all()) await each.query((db) => db.deleteFrom('owed').execute());
  const [alice, bob] = await cluster.addFriends([0, 1]);
  const shard = cluster.ctx.shards.of(bob.account);
  await shard.query((db) =>
    sql`
      with stored as (
        insert into log (owner, seq, sender, message_id, chat, at, to_device, body)
        select ${bob.account}::uuid, n, ${alice.account}::uuid, gen_random_uuid(),
          ${directChat(alice.account, bob.account)}::uuid, n, 0, 'x' from generate_series(1, 300) n
      )
      insert into owed (owner, seq, target, since)
      select ${bob.account}::uuid, n, ${alice.account}::uuid, n from generate_series(1, 300) n`.execute(db),
  );
  const other = await openContext(cluster.config, cluster.secrets);
  await other.ctx.placement.reload();
  const counts = await Promise.all([cluster.ctx, other.ctx].map((ctx) => makePendingCopies(ctx, 0)));
  await other[Symbol.asyncDispose]();
  expect(counts[0]! + counts[1]!).toBe(300);
  expect(await cluster.listEntries(alice)).toHaveLength(300);
});

test('M5: a message and its erasure that arrive at the same moment leave no body', async () => {
  const [alice, bob] = await cluster.addFriends([0, 0]);
  const id = newMessageId();
  const target = { sender: alice.account, id };
  const chat = directChat(alice.account, bob.account);
  await Promise.all([
    cluster.send(alice, bob, 'too fast', id),
    cluster.call(eraseMessage, alice, { id: newMessageId(), chat, target, everywhere: bob.account }),
  ]);
  for (const person of [alice, bob]) {
    const entries = await cluster.listEntries(person);
    const [message, erasure] = [entries.find((e) => e.kind === 'mail'), entries.find((e) => e.kind === 'erasure')];
    if (message!.seq < erasure!.seq) expect(message).not.toHaveProperty('body');
  }
});
