import { queryKeys } from '@dostar/protocol/contract/device-keys';
import { AppError } from '@dostar/protocol/errors';
import { AccountId, DeviceId } from '@dostar/protocol/ids';
import { userOf } from '@dostar/protocol/matrix-ids';
import { expect, onTestFinished, test } from 'vitest';
import { type Engine, loadEngine, openEngine } from './engine.ts';
import { createRequestSender } from './request-sender.ts';
import { createMutex } from '../../lib/mutex.ts';
import type { Call } from '../../net/call.ts';

const [alice, bob, carol] = [newAccount(), newAccount(), newAccount()];

function newAccount(): AccountId {
  return AccountId.parse(crypto.randomUUID());
}

async function setUp() {
  const library = await loadEngine();
  const store = { name: crypto.randomUUID(), key: crypto.getRandomValues(new Uint8Array(32)) };
  const engine = await openEngine(library, { account: alice, device: DeviceId.parse(crypto.randomUUID()), store });
  onTestFinished(() => engine.close());
  const queried: string[][] = [];
  const server = { isDown: false, unreadable: new Set<string>(), onQuery: async () => {} };
  const call: Call = async (endpoint, body) => {
    expect(endpoint).toBe(queryKeys);
    await server.onQuery();
    const users = Object.keys((body as { device_keys: object }).device_keys);
    if (server.isDown || users.some((user) => server.unreadable.has(user))) throw new AppError('unavailable');
    queried.push(users.toSorted());
    const reply = {
      device_keys: Object.fromEntries(users.map((user) => [user, {}])),
      master_keys: {},
      self_signing_keys: {},
      user_signing_keys: {},
      failures: {},
      device_revs: {},
    };
    return reply as never;
  };
  const requestSender = createRequestSender(engine, {
    call,
    mutex: createMutex(),
    persist: async () => {},
    onRevisions: async () => {},
    onDeviceLists: async () => {},
    onFormerDevices: async () => {},
    keyMetadata: { put: async () => {} },
    log: () => {},
  });
  const listPendingQueries = async () =>
    (await engine.machine.outgoingRequests()).filter(({ type }) => type === library.RequestType.KeysQuery);
  return { engine, requestSender, server, queried, listPendingQueries };
}

test("a query sends the engine's own pending query, so that the engine does not wait a second for it", async () => {
  const { engine, requestSender, queried, listPendingQueries } = await setUp();
  await engine.machine.updateTrackedUsers(engine.users([alice, bob]));
  await requestSender.query([bob]);
  expect(await listPendingQueries()).toEqual([]);
  expect(queried).toEqual([[userOf(alice), userOf(bob)].toSorted()]);
});

test('one query covers accounts with and without a pending query of the engine', async () => {
  const { engine, requestSender, queried, listPendingQueries } = await setUp();
  await engine.machine.updateTrackedUsers(engine.users([alice, bob]));
  await requestSender.query([bob, carol]);
  expect(queried).toEqual([[userOf(alice), userOf(bob)].toSorted(), [userOf(carol)]]);
  expect(await listPendingQueries()).toEqual([]);
});

test("a query that fails throws, and leaves the engine's query pending for the next one", async () => {
  const { engine, requestSender, server, queried, listPendingQueries } = await setUp();
  await engine.machine.updateTrackedUsers(engine.users([alice, bob]));
  server.isDown = true;
  await expect(requestSender.query([bob, carol])).rejects.toThrow(new AppError('unavailable'));
  expect(queried).toEqual([]);
  expect(await listPendingQueries()).toHaveLength(1);
  server.isDown = false;
  await requestSender.query([bob]);
  expect(queried).toEqual([[userOf(alice), userOf(bob)].toSorted()]);
  expect(await listPendingQueries()).toEqual([]);
});

test('if the server cannot read one account, queries about other accounts still succeed', async () => {
  const { engine, requestSender, server, queried, listPendingQueries } = await setUp();
  await engine.machine.updateTrackedUsers(engine.users([alice, bob]));
  server.unreadable.add(userOf(bob));
  await requestSender.query([alice]);
  expect(queried).toEqual([[userOf(alice)]]);
  expect(await listPendingQueries()).toHaveLength(1);
});

test("a query asks the server even if the engine knows the account's devices already", async () => {
  const { engine, requestSender, queried } = await setUp();
  await engine.machine.updateTrackedUsers(engine.users([bob]));
  await requestSender.query([bob]);
  queried.length = 0;
  await requestSender.query([bob]);
  expect(queried).toEqual([[userOf(bob)]]);
});

test("a device change that arrives during the engine's query leaves a query pending", async () => {
  const { engine, requestSender, server, listPendingQueries } = await setUp();
  await engine.machine.updateTrackedUsers(engine.users([alice, bob]));
  server.onQuery = () => receiveChange(engine, bob);
  await requestSender.query([bob]);
  expect(await listPendingQueries()).toHaveLength(1);
});

/** Simulates a sync that reports changed devices of the account. */
async function receiveChange({ machine, library, users }: Engine, account: AccountId): Promise<void> {
  const settings = new library.DecryptionSettings(library.TrustRequirement.Untrusted);
  await machine.receiveSyncChanges('[]', new library.DeviceLists(users([account])), new Map(), undefined, settings);
}
