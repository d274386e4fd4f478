/** A process full of devices that write as planned. */
import { setTimeout as sleep } from 'node:timers/promises';
import { directChat } from '@dostar/protocol/ids';
import { waitFor } from '@dostar/tools/servers';
import type { Device } from './device.ts';
import { Ledger } from './ledger.ts';
import { startLightDevice } from './light-device.ts';
import type { Person } from './people.ts';
import { isReal, listPeers } from './plan.ts';
import { startRealDevice } from './real-device.ts';
import type { Shown, SwarmAnswer, SwarmOrder, SwarmSetup } from './swarm-messages.ts';

/** They do not all come in the same moment. */
const ARRIVE_WITHIN_MS = 3_000;

const ledger = new Ledger();
let setup: SwarmSetup;
let seats: Device[] = [];

process.on('disconnect', () => process.exit());
process.on('message', (order: SwarmOrder) => {
  obey(order).then(
    (answer) => process.send?.(answer satisfies SwarmAnswer),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});

async function obey(order: SwarmOrder): Promise<SwarmAnswer> {
  switch (order.t) {
    case 'setup':
      setup = order.setup;
      seats = await Promise.all(setup.people.map(sitDown));
      await waitFor(() => countOnline() === seats.length, { what: 'every device to be online', timeoutMs: 60_000 });
      return { t: 'ready' };
    case 'write':
      await Promise.all(seats.map((_, seat) => writeAll(seat)));
      return { t: 'written' };
    case 'look': {
      const { written, acknowledged, arrived } = ledger.figures;
      return { t: 'progress', written, acknowledged, arrived, online: countOnline() };
    }
    case 'report':
      return { t: 'report', figures: ledger.figures, shown: (await Promise.all(seats.map(readDevice))).flat() };
  }
}

async function sitDown(person: Person, seat: number): Promise<Device> {
  const { plan, apis, gateways, origin, isForgetful } = setup;
  await sleep(Math.random() * ARRIVE_WITHIN_MS);
  const start = isReal(plan, seat) ? startRealDevice : startLightDevice;
  return start(person, { apis, gateways, origin, ledger, isForgetful });
}

function countOnline(): number {
  return seats.filter((seat) => seat.isOnline()).length;
}

/** To each peer in turn, as a person does: whatever the network is doing. */
async function writeAll(seat: number): Promise<void> {
  const { plan } = setup;
  const device = seats[seat]!;
  const peers = listPeers(plan, seat);
  const everyMs = plan.writeMs / (peers.length * plan.messagesPerPeer);
  const begun = performance.now() + Math.random() * everyMs;
  for (let number = 1; number <= plan.messagesPerPeer; number += 1) {
    for (const [turn, peer] of peers.entries()) {
      const due = begun + ((number - 1) * peers.length + turn) * everyMs;
      await sleep(Math.max(0, due - performance.now()));
      const to = seats[peer]!.account;
      ledger.write(device.account, directChat(device.account, to), number);
      await device.write(to, number);
    }
  }
}

/** What this device would show: every chat, each side of it. */
async function readDevice(device: Device, seat: number): Promise<Shown[]> {
  const writesTo = listPeers(setup.plan, seat);
  const hearsFrom = seats.flatMap((_, other) => (listPeers(setup.plan, other).includes(seat) ? [other] : []));
  const shown: Shown[] = [];
  for (const other of new Set([...writesTo, ...hearsFrom])) {
    const peer = seats[other]!.account;
    const messages = await device.readChat(peer);
    for (const sender of [device.account, peer]) {
      const side = messages.filter((message) => message.sender === sender);
      const unsent = side.filter(({ isSent }) => !isSent).length;
      shown.push({ owner: device.account, sender, peer, numbers: side.map(({ number }) => number), unsent });
    }
  }
  return shown;
}
