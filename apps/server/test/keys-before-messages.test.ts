import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { uploadKeys } from '@dostar/protocol/contract/device-keys';
import { sendToDevice } from '@dostar/protocol/contract/to-device';
import { userOf } from '@dostar/protocol/matrix-ids';
import { REALTIME_VERSION } from '@dostar/protocol/realtime';
import { connectBus } from '../src/platform/bus/bus.ts';
import { createLog } from '../src/platform/observability/log.ts';
import { TestDevice } from './test-device.ts';
import { UnreliableBus } from './unreliable-bus.ts';
import { startTestCluster } from './test-cluster.ts';
import type { Person, SignedIn, TestSocket, TestCluster } from './test-cluster.ts';

const COMPARE_EVERY_MS = 200;

let cluster: TestCluster;
let bus: UnreliableBus;
beforeAll(async () => {
  bus = new UnreliableBus(await connectBus({ servers: [inject('natsUrl')] }, createLog('silent')));
  cluster = await startTestCluster({
    postgresUrl: inject('postgresUrl'),
    natsUrl: inject('natsUrl'),
    compareEveryMs: COMPARE_EVERY_MS,
    overrides: { bus },
  });
});
afterAll(() => cluster[Symbol.asyncDispose]());

/** What a sender does: shares a key with one device or both, or sends a message with the keys shared so far. */
const act = fc.constantFrom('key to the phone', 'key to the laptop', 'key to both', 'message', 'message');
const fate = fc.constantFrom(0, 0, 0, 5, 30, 90, null);

interface Receiver {
  person: SignedIn;
  given: number;
  socket: TestSocket;
}

let txns = 0;
async function giveKey(from: Person, receivers: Receiver[]): Promise<void> {
  const devices = receivers.map((receiver) => [receiver.person.device, { n: (receiver.given += 1) }] as const);
  const messages = { [userOf(receivers[0]!.person.account)]: Object.fromEntries(devices) };
  const answer = await cluster.call(sendToDevice, from, { type: 'm.room_key', txn: `k${(txns += 1)}`, messages });
  expect(answer.status).toBe(200);
}

async function listen(person: SignedIn): Promise<Receiver> {
  const { deviceKeys } = new TestDevice(person);
  await cluster.call(uploadKeys, person, { device_keys: deviceKeys });
  const socket = await cluster.connect(person);
  socket.say({ t: 'resume', v: REALTIME_VERSION, cursor: null, toDevice: null });
  return { person, given: 0, socket };
}

/** For each message in the order of the frames: how many keys this device had, and how many it needed. */
function findLateKeys({ socket }: Receiver, place: 'phone' | 'laptop'): string[] {
  let keys = 0;
  const late: string[] = [];
  for (const frame of socket.frames) {
    if (frame.t === 'to_device') keys += frame.events.length;
    if (frame.t !== 'entry' || frame.entry.kind !== 'mail') continue;
    const needed = JSON.parse(Buffer.from(frame.entry.body!, 'base64url').toString()) as Record<string, number>;
    if (keys < needed[place]!) late.push(`entry ${frame.entry.seq} needs ${needed[place]} keys and came after ${keys}`);
  }
  return late;
}

test('D3: keys arrive before the messages that need them, even if hints are lost, late or out of order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { minLength: 3, maxLength: 15 }),
      fc.array(fate, { minLength: 3, maxLength: 11 }),
      async (acts, fates) => {
        bus.fates = [];
        const [alice, bob] = [await cluster.addAccount(0), await cluster.addAccount(1)];
        await cluster.befriend(alice, bob);
        const [phone, laptop] = [await listen(bob), await listen(await cluster.addDevice(bob))];
        using _phone = phone.socket;
        using _laptop = laptop.socket;
        bus.fates = fates;

        let sent = 0;
        for (const what of acts) {
          if (what === 'message') {
            sent += 1;
            await cluster.send(alice, bob, JSON.stringify({ phone: phone.given, laptop: laptop.given }));
          } else if (what === 'key to both') await giveKey(alice, [phone, laptop]);
          else await giveKey(alice, [what === 'key to the phone' ? phone : laptop]);
        }

        for (const { socket, given } of [phone, laptop]) {
          const countKeys = () => socket.all('to_device').flatMap((frame) => frame.events).length;
          await socket.until(() => socket.entries().length === sent && countKeys() === given, 'everything');
          expect(socket.entries().map((entry) => entry.seq)).toEqual(Array.from({ length: sent }, (_, n) => n + 1));
        }
        expect([...findLateKeys(phone, 'phone'), ...findLateKeys(laptop, 'laptop')]).toEqual([]);
      },
    ),
    { numRuns: 12 },
  );
});
