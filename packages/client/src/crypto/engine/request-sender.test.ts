import { queryKeys } from '@dostar/protocol/contract/device-keys';
import { AccountId, DeviceId } from '@dostar/protocol/ids';
import { userOf } from '@dostar/protocol/matrix-ids';
import { expect, onTestFinished, test } from 'vitest';
import { loadEngine, openEngine } from './engine.ts';
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
  const asked: string[][] = [];
  const call: Call = async (endpoint, body) => {
    expect(endpoint).toBe(queryKeys);
    const users = Object.keys((body as { device_keys: object }).device_keys);
    asked.push(users.toSorted());
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
  const listOpenQueries = async () =>
    (await engine.machine.outgoingRequests()).filter(({ type }) => type === library.RequestType.KeysQuery);
  return { engine, requestSender, asked, listOpenQueries };
}

test('a query also answers the question that the engine has about the account: it would wait a second for the answer', async () => {
  const { engine, requestSender, asked, listOpenQueries } = await setUp();
  await engine.machine.updateTrackedUsers(engine.users([alice, bob]));
  await requestSender.query([bob]);
  expect(await listOpenQueries()).toEqual([]);
  expect(asked).toEqual([[userOf(alice), userOf(bob)].toSorted()]);
});

test('a query asks about accounts that the engine has no question about', async () => {
  const { engine, requestSender, asked } = await setUp();
  await engine.machine.updateTrackedUsers(engine.users([bob]));
  await requestSender.query([carol]);
  expect(asked.flat()).toContain(userOf(carol));
});
