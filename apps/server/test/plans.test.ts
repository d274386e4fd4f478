/**
 * The number of rows that a call reads from a long mailbox depends only on what it requests, whatever statistics
 * PostgreSQL had when it planned the statement.
 */
import { readKey } from '@dostar/protocol/mailbox';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { recordListChanges } from '../src/features/encryption/device-lists/store.ts';
import { countOneTimeKeys, claimStoredKeys } from '../src/features/encryption/device-keys/store.ts';
import { listPendingCopies } from '../src/features/messaging/mailbox/pending-copies-store.ts';
import { countUnread } from '../src/features/messaging/mailbox/read-store.ts';
import {
  ackEntries,
  findDelivered,
  listReceipts,
  listReceiptStates,
  markPublished,
} from '../src/features/messaging/mailbox/receipts-store.ts';
import {
  appendUnits,
  isStored,
  listChatBefore,
  listEntriesSince,
  listNewest,
  readSenderStates,
  putRegisters,
  readHeads,
} from '../src/features/messaging/mailbox/store.ts';
import type { NewEntry } from '../src/features/messaging/mailbox/store.ts';
import { listUnread } from '../src/features/messaging/push/due-store.ts';
import { listReadUpTo } from '../src/features/messaging/read-receipts/store.ts';
import { deleteEvents, queueEvents, readPendingEvents } from '../src/features/encryption/to-device/store.ts';
import { createDatabases, dropDatabases, nextName } from './databases.ts';
import {
  addOthers,
  addOwner,
  chatOf,
  DEVICE,
  emptyShard,
  ENTRIES,
  EVENTS,
  idOf,
  OWNER,
  peerOf,
  PEERS,
  stopAutovacuum,
  STRANGER,
} from './fill-shard.ts';
import { openPlanReader } from './read-plans.ts';
import type { PlanReader } from './read-plans.ts';
import { newMessageId } from './test-cluster.ts';

const name = nextName();
let url: string;
let admin: Client;

beforeAll(async () => {
  const { SHARD_URLS } = await createDatabases(inject('postgresUrl'), name, 'template');
  url = SHARD_URLS.split(',')[0]!.slice('0='.length);
  admin = new Client({ connectionString: url });
  await admin.connect();
  await stopAutovacuum(admin);
});
afterAll(async () => {
  await admin.end();
  await dropDatabases(inject('postgresUrl'), name);
});

/** States of the tables when PostgreSQL makes its plans; afterwards the owner's mailbox grows. */
const STATES: Record<string, () => Promise<unknown>> = {
  'empty and never vacuumed': async () => {},
  'empty and vacuumed': () => admin.query('vacuum analyze'),
  small: async () => {
    await addOthers(admin, 100, 3);
    await admin.query('vacuum analyze');
  },
  'of accounts with one entry each': async () => {
    await addOthers(admin, 10_000, 1);
    await admin.query('vacuum analyze');
  },
};

const [peer, chat] = [peerOf(1), chatOf(1)];
const chats = Array.from({ length: PEERS }, (_, n) => chatOf(n + 1));
const message = (entry: Partial<NewEntry>): NewEntry => {
  return { owner: OWNER, sender: peer, id: newMessageId(), chat, at: 1, body: Buffer.from('x'), ...entry };
};

type Statement = [what: string, mostRows: number, run: (reader: PlanReader) => Promise<unknown>];

/** `mostRows`: the rows that the statement returns or changes, plus a few. */
const STATEMENTS: Statement[] = [
  [
    'append: a message and its copy',
    40,
    ({ client }) => {
      const sent = message({ rings: true });
      return appendUnits(client, [[sent, { ...sent, owner: peer }]], []);
    },
  ],
  ['append: a repeat', 20, ({ client }) => appendUnits(client, [[message({ id: idOf(ENTRIES - 60) })]], [])],
  [
    'append: a stranger who has asked already',
    20,
    ({ client }) => appendUnits(client, [[message({ sender: STRANGER })]], []),
  ],
  [
    'append: a deletion',
    30,
    ({ client }) => {
      const erases = { sender: peer, id: idOf(ENTRIES - 60) };
      return appendUnits(client, [[message({ body: null, erases })]], [{ owner: OWNER, seq: 1 }]);
    },
  ],
  [
    'append: a deletion by a stranger',
    20,
    ({ client }) => {
      const erases = { sender: STRANGER, id: idOf(ENTRIES) };
      return appendUnits(client, [[message({ sender: STRANGER, body: null, erases })]], []);
    },
  ],
  ['look at a sender', 5, ({ client }) => readSenderStates(client, [{ owner: OWNER, id: idOf(ENTRIES - 61) }])],
  ['whether a message is stored', 5, ({ db }) => isStored(db, { owner: OWNER, sender: peer, id: idOf(ENTRIES - 60) })],
  ['heads of mailboxes', 5, ({ client }) => readHeads(client, [OWNER, peer])],
  ['sync', 120, ({ db }) => listEntriesSince(db, OWNER, ENTRIES - 100, { limit: 100, bytes: 1e6 })],
  ['a chat read backwards', 60, ({ db }) => listChatBefore(db, OWNER, chat, ENTRIES / 2, 50)],
  ['the newest of each chat', 2 * PEERS, ({ db }) => listNewest(db, OWNER, chats)],
  [
    'unread of each chat',
    40 * PEERS,
    ({ db }) =>
      countUnread(
        db,
        OWNER,
        chats.map((each) => ({ chat: each, readKey: readKey(each, OWNER) })),
        99,
      ),
  ],
  [
    'read receipts: what was read',
    40,
    ({ db }) => listReadUpTo(db, { owner: OWNER, chat, key: readKey(chat, OWNER) }, ENTRIES),
  ],
  ['receipts: acknowledge', 15, ({ db }) => ackEntries(db, [{ owner: OWNER, device: DEVICE, seq: ENTRIES }])],
  ['receipts: how far senders know', 5, ({ db }) => listReceiptStates(db, [OWNER])],
  [
    'receipts: what to tell them',
    250,
    ({ db }) => {
      return listReceipts(db, [{ owner: OWNER, toldSeq: ENTRIES - 100, ackedSeq: ENTRIES, isFrozen: false }]);
    },
  ],
  ['receipts: what arrived', 10, ({ db }) => findDelivered(db, { owner: OWNER, chat, sender: peer })],
  [
    'receipts: they know',
    10,
    ({ db }) => markPublished(db, [{ owner: OWNER, toldSeq: 0, ackedSeq: ENTRIES, isFrozen: false }]),
  ],
  [
    'write registers',
    10,
    ({ db }) => putRegisters(db, [{ owner: OWNER, key: readKey(chat, OWNER), mark: 1, value: null }]),
  ],
  [
    'to-device: send to one device',
    400,
    ({ db }) => queueEvents(db, [{ owner: OWNER, device: DEVICE, event: '{}' }], sending()),
  ],
  ['to-device: send to all', 400, ({ db }) => queueEvents(db, [{ owner: OWNER, device: '*', event: '{}' }], sending())],
  [
    'to-device: read',
    300,
    ({ db }) => readPendingEvents(db, OWNER, DEVICE, EVENTS - 50, { events: 100, bytes: 256 * 1024 }),
  ],
  ['to-device: stored', 60, ({ db }) => deleteEvents(db, OWNER, DEVICE, 50)],
  ['device lists: tell of a change', 10, ({ db }) => recordListChanges(db, [OWNER], peer, 'changed')],
  [
    'claim a key',
    10,
    ({ db }) =>
      claimStoredKeys(db, OWNER, [{ device: DEVICE, algorithm: 'signed_curve25519' }], { canConsume: true, now: 1 }),
  ],
  ['count keys', 120, ({ db }) => countOneTimeKeys(db, OWNER, [DEVICE])],
  ['push: what is unread', 1_600, ({ db }) => listUnread(db, [OWNER], 1)],
  ['pending copies', 5, ({ db }) => listPendingCopies(db, 1, { without: [], limit: 500 })],
];

let sent = 0;
function sending() {
  sent += 1;
  return { sender: peer, device: 'phone', txn: String(sent), now: 1 };
}

async function listCostly(reader: PlanReader): Promise<string[]> {
  const costly: string[] = [];
  for (const [what, mostRows, run] of STATEMENTS) {
    const { rows, blocks, worst } = await reader.measure(() => run(reader));
    if (rows > mostRows) costly.push(`${what}: ${rows} rows instead of ${mostRows} (${worst})`);
    // A row costs its own block and the index blocks that lead to it. This finds index entries that are read and
    // skipped.
    if (blocks > 150 + 12 * mostRows) costly.push(`${what}: ${blocks} blocks`);
  }
  return costly;
}

test.each(Object.keys(STATES))('no call reads a whole mailbox after tables were %s', async (state) => {
  await emptyShard(admin);
  await STATES[state]!();
  await using reader = await openPlanReader(url);
  // Makes the plans now; PostgreSQL keeps them until a table is vacuumed.
  for (const [, , run] of STATEMENTS) await run(reader);
  await addOthers(admin, 2_000, 1);
  await addOwner(admin);
  expect(await listCostly(reader)).toEqual([]);
});

test('no call reads a whole mailbox where tables are large and known', async () => {
  await emptyShard(admin);
  await addOthers(admin, 5_000, 2);
  await addOwner(admin);
  await admin.query('vacuum analyze');
  await using reader = await openPlanReader(url);
  // Reading the catalogue for the first plan counts as blocks too, so the plans are made first.
  for (const [, , run] of STATEMENTS) await run(reader);
  expect(await listCostly(reader)).toEqual([]);
});
