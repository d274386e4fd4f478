/** A process full of devices that write as planned. */
import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '@dostar/tools/servers';
import type { Device } from './device.ts';
import { Ledger } from './ledger.ts';
import { startLightDevice } from './light-device.ts';
import { now } from './probe.ts';
import { listPeers } from './plan.ts';
import { startRealDevice } from './real-device.ts';
import type { Shown, SwarmReply, SwarmCommand, SwarmSetup } from './swarm-messages.ts';

/** Devices start at random moments within this time. */
const ARRIVE_WITHIN_MS = 3_000;

const ledger = new Ledger();
let setup: SwarmSetup;
/** By index of the user; devices of other processes are missing. */
const devices = new Map<number, Device>();

process.on('disconnect', () => process.exit());
process.on('message', (command: SwarmCommand) => {
  handleCommand(command).then(
    (answer) => process.send?.(answer satisfies SwarmReply),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});

async function handleCommand(command: SwarmCommand): Promise<SwarmReply> {
  switch (command.t) {
    case 'setup':
      setup = command.setup;
      await Promise.all(setup.group.indexes.map(connectDevice));
      await waitFor(() => countOnline() === devices.size, { what: 'every device to be online', timeoutMs: 60_000 });
      return { t: 'ready' };
    case 'write':
      await Promise.all([...devices].map(([index, device]) => writeAll(index, device)));
      return { t: 'written' };
    case 'look': {
      const { acknowledged, arrived } = ledger.figures;
      return { t: 'progress', acknowledged, arrived, online: countOnline() };
    }
    case 'report':
      return { t: 'report', figures: ledger.figures, shown: (await Promise.all([...devices].map(readDevice))).flat() };
  }
}

async function connectDevice(index: number): Promise<void> {
  const { group, people, apis, gateways, origin, changesIdOnRetry } = setup;
  await sleep(Math.random() * ARRIVE_WITHIN_MS);
  const start = group.isReal ? startRealDevice : startLightDevice;
  devices.set(index, start(people[index]!, { apis, gateways, origin, ledger, changesIdOnRetry }));
}

function countOnline(): number {
  return [...devices.values()].filter((device) => device.isOnline()).length;
}

/** Writes to each peer in turn, whatever the state of the network. */
async function writeAll(index: number, device: Device): Promise<void> {
  const { plan, people } = setup;
  const peers = listPeers(plan, index);
  const everyMs = plan.writeMs / (peers.length * plan.messagesPerPeer);
  const begun = now() + Math.random() * everyMs;
  for (let number = 1; number <= plan.messagesPerPeer; number += 1) {
    for (const [turn, peer] of peers.entries()) {
      const due = begun + ((number - 1) * peers.length + turn) * everyMs;
      await sleep(Math.max(0, due - now()));
      await device.write(people[peer]!.account, { number, writtenAt: now() });
    }
  }
}

/** What this device would show: both sides of every chat. */
async function readDevice([index, device]: [number, Device]): Promise<Shown[]> {
  const { plan, people } = setup;
  const writesTo = listPeers(plan, index);
  const hearsFrom = people.flatMap((_, other) => (listPeers(plan, other).includes(index) ? [other] : []));
  const shown: Shown[] = [];
  for (const other of new Set([...writesTo, ...hearsFrom])) {
    const peer = people[other]!.account;
    const messages = await device.readChat(peer);
    for (const sender of [device.account, peer]) {
      const side = messages.filter((message) => message.sender === sender);
      const unsent = side.filter(({ isSent }) => !isSent).length;
      shown.push({ owner: device.account, sender, peer, numbers: side.map(({ number }) => number), unsent });
    }
  }
  return shown;
}
