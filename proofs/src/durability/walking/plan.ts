/** Who writes what to whom, and what goes wrong meanwhile. */
import type { Kind } from './inject-faults.ts';

export interface Plan {
  people: number;
  /** Distances in the circle: every user writes to those this far to the right. Users are on the two shards by turns. */
  distances: number[];
  messagesPerPeer: number;
  /** Every so many-th has the client of a browser; the others a lighter one, which two cores can carry more of. */
  realEvery: number;
  /** How long they write. */
  writeMs: number;
  /** In this order, evenly spread over the first part of the writing; during the last the whole bus is down. */
  faults: Kind[];
  /** How long everything may take to arrive after the last word was written and the last process is back. */
  settleMs: number;
  /** Not after a restore: what comes back may stand behind what was sent meanwhile. */
  isOrderless?: boolean;
}

const DISTANCES = [1, 2, 3, 10, 51];
const ROUND: Kind[] = ['api', 'gateway', 'nats', 'worker'];

export const VARIANTS = ['idempotency', 'comparison'] as const;
export type Variant = (typeof VARIANTS)[number];

export function choosePlan(isShort: boolean, without: Variant | undefined): Plan {
  if (without !== undefined) return { ...SHORT, ...VARIANT_PLANS[without] };
  return isShort ? SHORT : FULL;
}

const FULL: Plan = {
  people: 200,
  distances: DISTANCES,
  messagesPerPeer: 20,
  realEvery: 10,
  writeMs: 140_000,
  faults: [...ROUND, ...ROUND, 'shard', ...ROUND],
  settleMs: 120_000,
};

const SHORT: Plan = {
  people: 80,
  distances: DISTANCES,
  messagesPerPeer: 5,
  realEvery: 4,
  writeMs: 16_000,
  faults: ['nats', 'shard', 'gateway', 'api', 'worker'],
  settleMs: 60_000,
};

/** A comparison is due every 30 s: an intact system has repaired every lost hint by the end of these. */
const VARIANT_PLANS: Record<Variant, Partial<Plan>> = {
  idempotency: { faults: ['api', 'api'] },
  comparison: { faults: [], settleMs: 40_000 },
};

export function countMessages({ people, distances, messagesPerPeer }: Plan): number {
  return people * distances.length * messagesPerPeer;
}

/** The seats that the one at `seat` writes to. */
export function listPeers({ people, distances }: Plan, seat: number): number[] {
  return distances.map((distance) => (seat + distance) % people);
}

/** How many real clients share a process: each hears of every change to the others' databases too. */
const REAL_TOGETHER = 10;

/** The seats by the process that runs their devices. */
export function groupDevices({ people, realEvery }: Plan): DeviceGroup[] {
  const seats = Array.from({ length: people }, (_, seat) => seat);
  const real = seats.filter((seat) => seat % realEvery === 0);
  const groups: DeviceGroup[] = [{ isReal: false, seats: seats.filter((seat) => seat % realEvery !== 0) }];
  for (let from = 0; from < real.length; from += REAL_TOGETHER) {
    groups.push({ isReal: true, seats: real.slice(from, from + REAL_TOGETHER) });
  }
  return groups.filter((group) => group.seats.length > 0);
}

export interface DeviceGroup {
  /** Whether their devices are the client of a browser. */
  isReal: boolean;
  seats: number[];
}
