import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import * as contract from '@dostar/protocol/contract/key-backup';
import type { ChatId } from '@dostar/protocol/ids';
import { roomOf } from '@dostar/protocol/matrix-ids';
import { sql } from 'kysely';
import type { Person, TestCluster } from './test-cluster.ts';
import { startTestCluster } from './test-cluster.ts';

const ROOMS: [string, string] = [
  roomOf('11ace000-0000-8000-8000-000000000001' as ChatId),
  roomOf('11ace000-0000-8000-8000-000000000002' as ChatId),
];
const RECIPE = { algorithm: 'm.megolm_backup.v1.curve25519-aes-sha2', auth_data: { public_key: 'abc' } };

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') });
});
afterAll(() => cluster[Symbol.asyncDispose]());

async function addBackup(): Promise<[Person, string]> {
  const person = await cluster.addAccount(1);
  const { body } = await cluster.call(contract.createBackup, person, RECIPE);
  return [person, body.version];
}

function entry(over: Partial<contract.BackupEntry> = {}): contract.BackupEntry {
  return { first_message_index: 3, forwarded_count: 1, is_verified: false, session_data: { ciphertext: 'x' }, ...over };
}

const put = (person: Person, version: string, session: string, one: contract.BackupEntry, room = ROOMS[0]) =>
  cluster.call(contract.putBackupKeys, person, { version, rooms: { [room]: { sessions: { [session]: one } } } });

const get = async (person: Person, range: { version: string; room?: string; session?: string }) =>
  (await cluster.call(contract.getBackupKeys, person, range)).body.rooms;

test('K10: version numbers increase and are never reused; the newest version is current', async () => {
  const [alice, first] = await addBackup();
  expect(first).toBe('1');
  const { body } = await cluster.call(contract.createBackup, alice, RECIPE);
  expect(body.version).toBe('2');
  expect(await cluster.call(contract.getBackup, alice, {})).toMatchObject({
    body: { ...RECIPE, version: '2', etag: '0', count: 0 },
  });
  await cluster.call(contract.deleteBackup, alice, { version: '2' });
  expect(await cluster.call(contract.getBackup, alice, {})).toMatchObject({ body: { version: '1' } });
  expect(await cluster.call(contract.getBackup, alice, { version: '2' })).toMatchObject({ status: 404 });
  expect(await cluster.call(contract.createBackup, alice, RECIPE)).toMatchObject({ body: { version: '3' } });
});

test('K10: keys go into the current version only; the refusal names it', async () => {
  const [alice, version] = await addBackup();
  await put(alice, version, 's1', entry());
  await cluster.call(contract.createBackup, alice, RECIPE);
  expect(await put(alice, version, 's2', entry())).toEqual({
    status: 403,
    body: { success: false, error: 'wrong_backup_version', details: { current_version: '2' } },
  });
  // The old version can still be read.
  expect(await get(alice, { version })).toEqual({ [ROOMS[0]]: { sessions: { s1: entry() } } });
  const empty = await cluster.addAccount(0);
  expect(await put(empty, '1', 's1', entry())).toMatchObject({ status: 404 });
});

test('K10: a deleted version with keys can be read and restored for 30 days; an empty one is gone', async () => {
  const [alice, first] = await addBackup();
  await put(alice, first, 's1', entry());
  await cluster.call(contract.deleteBackup, alice, { version: first });
  expect(await cluster.call(contract.getBackup, alice, {})).toMatchObject({ status: 404 });
  expect(await put(alice, first, 's2', entry())).toMatchObject({ status: 404 });
  expect(await get(alice, { version: first })).toEqual({ [ROOMS[0]]: { sessions: { s1: entry() } } });

  const { body } = await cluster.call(contract.createBackup, alice, RECIPE);
  expect(await cluster.call(contract.restoreBackup, alice, { version: first })).toMatchObject({ status: 200 });
  expect(await cluster.call(contract.getBackup, alice, {})).toMatchObject({ body: { version: first, count: 1 } });
  expect(await cluster.call(contract.getBackup, alice, { version: body.version })).toMatchObject({ status: 404 });
  expect(await put(alice, first, 's2', entry())).toMatchObject({ body: { count: 2 } });
  expect(await cluster.call(contract.restoreBackup, alice, { version: body.version })).toMatchObject({ status: 404 });
});

test('K10: deleting a version permanently needs re-authentication', async () => {
  const [alice, version] = await addBackup();
  await put(alice, version, 's1', entry());
  const shard = cluster.ctx.shards.of(alice.account);
  const forGood = { version, forGood: true };
  const laptop = await cluster.addDevice(alice);
  await shard.query((db) =>
    db.updateTable('session').set({ proven_at: 0 }).where('owner', '=', alice.account).execute(),
  );
  expect(await cluster.call(contract.deleteBackup, laptop, forGood)).toMatchObject({
    body: { error: 'reauthenticate' },
  });
  expect(await cluster.call(contract.getBackup, alice, { version })).toMatchObject({ status: 200 });
  expect(await cluster.call(contract.deleteBackup, await cluster.addDevice(alice), forGood)).toMatchObject({
    status: 200,
  });
  expect(await cluster.call(contract.getBackup, alice, { version })).toMatchObject({ status: 404 });
});

test('K11: replaced copies are returned with the better one, the newest first', async () => {
  const [alice, version] = await addBackup();
  const copies = [9, 8, 7].map((first_message_index) =>
    entry({ first_message_index, mac2: String(first_message_index) }),
  );
  for (const copy of copies) await put(alice, version, 's1', copy);
  await put(alice, version, 's2', entry());
  const forged = entry({ is_verified: true, mac2: 'forged' });
  await put(alice, version, 's1', forged);
  const names = ['s1', 's2'].map((session) => ({ room: ROOMS[0], session }));
  for (const range of [{ version }, { version, names }]) {
    const { body } = await cluster.call(contract.getBackupKeys, alice, range);
    expect(body.rooms).toEqual({ [ROOMS[0]]: { sessions: { s1: forged, s2: entry() } } });
    expect(body.replaced).toEqual({ [ROOMS[0]]: { sessions: { s1: copies.toReversed() } } });
  }
});

test('K11: the first copies are kept, so that a flood of later ones removes none of them', async () => {
  const [alice, version] = await addBackup();
  const genuine = entry({ first_message_index: 20, mac2: 'genuine' });
  await put(alice, version, 's1', genuine);
  for (let index = 19; index >= 0; index -= 1) await put(alice, version, 's1', entry({ first_message_index: index }));
  const { body } = await cluster.call(contract.getBackupKeys, alice, { version });
  const copies = body.replaced[ROOMS[0]].sessions.s1;
  expect(copies).toHaveLength(4);
  expect(copies.at(-1)).toEqual(genuine);
});

test.each([
  ['verified beats unverified', entry({ is_verified: true, first_message_index: 9 }), true],
  ['an earlier first message beats a later one', entry({ first_message_index: 2, forwarded_count: 5 }), true],
  ['fewer forwards beat more', entry({ forwarded_count: 0 }), true],
  ['the same again changes nothing', entry(), false],
  ['a later first message changes nothing', entry({ first_message_index: 4, forwarded_count: 0 }), false],
])('K11: %s', async (_name, better, isTaken) => {
  const [alice, version] = await addBackup();
  const stored = await put(alice, version, 's1', entry());
  expect(stored.body).toEqual({ etag: '1', count: 1 });
  const again = await put(alice, version, 's1', better);
  expect(again.body).toEqual({ etag: isTaken ? '2' : '1', count: 1 });
  const kept = (await get(alice, { version }))[ROOMS[0]].sessions.s1;
  expect(kept).toEqual(isTaken ? better : entry());
});

test('K11: an unverified copy never takes the place of a verified one', async () => {
  const [alice, version] = await addBackup();
  await put(alice, version, 's1', entry({ is_verified: true }));
  await put(alice, version, 's1', entry({ first_message_index: 0, forwarded_count: 0 }));
  expect((await get(alice, { version }))[ROOMS[0]].sessions.s1.is_verified).toBe(true);
});

test('K11: two devices that upload at once are both counted', async () => {
  const [alice, version] = await addBackup();
  await Promise.all(Array.from({ length: 20 }, (_, n) => put(alice, version, `s${n % 10}`, entry())));
  expect(await cluster.call(contract.getBackup, alice, {})).toMatchObject({ body: { etag: '10', count: 10 } });
});

test('K12: an entry is returned as it was uploaded, with its mac2', async () => {
  const [alice, version] = await addBackup();
  const given = {
    ...entry(),
    mac2: 'top',
    session_data: { ciphertext: 'c', mac: 'm', ephemeral: 'e', mac2: 'authentic' },
  };
  await put(alice, version, 's1', given);
  expect((await get(alice, { version }))[ROOMS[0]].sessions.s1).toEqual(given);
});

test('K12: keys are read all at once, by room and by session', async () => {
  const [alice, version] = await addBackup();
  for (const room of ROOMS) {
    for (const session of ['s1', 's2']) await put(alice, version, session, entry(), room);
  }
  const [one] = ROOMS;
  expect(Object.keys((await get(alice, { version, room: one }))[one].sessions)).toEqual(['s1', 's2']);
  expect(await get(alice, { version, room: one, session: 's2' })).toEqual({ [one]: { sessions: { s2: entry() } } });
  expect(await get(alice, { version, room: one, session: 'none' })).toEqual({});
});

test('K12: a long backup is read page by page, each key once', async () => {
  const [alice, version] = await addBackup();
  for (const room of ROOMS) {
    const sessions = Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`s${n}`, entry()]));
    await cluster.call(contract.putBackupKeys, alice, { version, rooms: { [room]: { sessions } } });
  }
  const seen: string[] = [];
  let after: { room: string; session: string } | undefined;
  do {
    const { body } = await cluster.call(contract.getBackupKeys, alice, { version, limit: 7, after });
    for (const [room, { sessions }] of Object.entries<{ sessions: object }>(body.rooms)) {
      seen.push(...Object.keys(sessions).map((session) => `${room}/${session}`));
    }
    after = body.next;
  } while (after);
  expect(seen).toHaveLength(50);
  expect(new Set(seen).size).toBe(50);
});

test('K12: one call returns the existing keys among the named ones of several rooms', async () => {
  const [alice, version] = await addBackup();
  const [one, other] = ROOMS;
  for (const room of ROOMS) for (const session of ['s1', 's2', 's3']) await put(alice, version, session, entry(), room);
  const names = [
    { room: one, session: 's1' },
    { room: one, session: 's3' },
    { room: other, session: 's2' },
    { room: other, session: 'unknown' },
  ];
  const { body } = await cluster.call(contract.getBackupKeys, alice, { version, names });
  expect(body).toEqual({
    rooms: { [one]: { sessions: { s1: entry(), s3: entry() } }, [other]: { sessions: { s2: entry() } } },
  });
  const bob = await cluster.addAccount(1);
  expect(await cluster.call(contract.getBackupKeys, bob, { version, names })).toMatchObject({ status: 404 });
  const many = Array.from({ length: contract.MAX_BACKUP_NAMES + 1 }, (_, n) => ({ room: one, session: `s${n}` }));
  expect(await cluster.call(contract.getBackupKeys, alice, { version, names: many })).toMatchObject({ status: 400 });
});

test('K12: no account reads another’s backup', async () => {
  const [alice, version] = await addBackup();
  await put(alice, version, 's1', entry());
  const bob = await cluster.addAccount(1);
  expect(await cluster.call(contract.getBackupKeys, bob, { version })).toMatchObject({ status: 404 });
  expect(await cluster.call(contract.getBackupKeys, undefined, { version })).toMatchObject({ status: 401 });
});

async function setCount({ account }: Person, version: string, count: number): Promise<void> {
  await cluster.ctx.shards
    .of(account)
    .query((db) =>
      db
        .updateTable('backup_version')
        .set({ count })
        .where('owner', '=', account)
        .where('version', '=', Number(version))
        .execute(),
    );
}

test('K10: a full version accepts no more keys, but still better copies', async () => {
  const [alice, version] = await addBackup();
  await put(alice, version, 's1', entry());
  await setCount(alice, version, contract.MAX_KEYS_PER_VERSION);
  expect(await put(alice, version, 's2', entry())).toMatchObject({ status: 403, body: { error: 'quota_exceeded' } });
  expect(await put(alice, version, 's1', entry({ is_verified: true }))).toMatchObject({ status: 200 });
  expect(Object.keys((await get(alice, { version }))[ROOMS[0]].sessions)).toEqual(['s1']);
});

test('K10: another version has no more space than the first', async () => {
  const [alice, first] = await addBackup();
  await setCount(alice, first, contract.MAX_KEYS_PER_ACCOUNT);
  const { body } = await cluster.call(contract.createBackup, alice, RECIPE);
  expect(await put(alice, body.version, 's1', entry())).toMatchObject({ body: { error: 'quota_exceeded' } });
  await cluster.call(contract.deleteBackup, alice, { version: first });
  expect(await put(alice, body.version, 's1', entry())).toMatchObject({ status: 200 });
  // Deleted versions are kept for a while and do not count.
  await setCount(alice, body.version, contract.MAX_KEYS_PER_ACCOUNT);
  await cluster.call(contract.deleteBackup, alice, { version: body.version });
  const third = await cluster.call(contract.createBackup, alice, RECIPE);
  expect(await put(alice, third.body.version, 's1', entry())).toMatchObject({ body: { error: 'quota_exceeded' } });
});

test('K10: the number of versions is limited, and deleting one makes room', async () => {
  const [alice, first] = await addBackup();
  await cluster.ctx.shards.of(alice.account).query((db) =>
    sql`
      insert into backup_version (owner, version, algorithm, auth_data)
      select ${alice.account}, n, 'x', '{}' from generate_series(2, ${sql.lit(contract.MAX_BACKUP_VERSIONS)}) n`.execute(
      db,
    ),
  );
  expect(await cluster.call(contract.createBackup, alice, RECIPE)).toMatchObject({ body: { error: 'quota_exceeded' } });
  await cluster.call(contract.deleteBackup, alice, { version: first });
  expect(await cluster.call(contract.createBackup, alice, RECIPE)).toMatchObject({ status: 200 });
});
