/** Who writes to whom, and which processes are killed meanwhile. */
import type { Kind } from './inject-faults.ts';

export interface Plan {
  people: number;
  /** Users form a circle: each writes to the users at these distances. Shards alternate. */
  distances: number[];
  messagesPerPeer: number;
  /** Every n-th user runs the client of browsers; the others a lighter client, of which two cores can run more. */
  realEvery: number;
  /** How long they write. */
  writeMs: number;
  /**
   * Killed in this order, evenly spread over the first part of the writing. During the last part all of NATS is down.
   */
  faults: Kind[];
  /** How long the last message may take to arrive after it was written and every process runs again. */
  settleMs: number;
  /** After a restore a recovered message may come after messages that were sent meanwhile. */
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

/** The comparison runs every 30 s: within these times an intact system repairs every lost hint. */
const VARIANT_PLANS: Record<Variant, Partial<Plan>> = {
  idempotency: { faults: ['api', 'api'] },
  comparison: { faults: [], settleMs: 40_000 },
};

export function countMessages({ people, distances, messagesPerPeer }: Plan): number {
  return people * distances.length * messagesPerPeer;
}

/** The users to whom the user at `index` writes. */
export function listPeers({ people, distances }: Plan, index: number): number[] {
  return distances.map((distance) => (index + distance) % people);
}

/** How many real clients share a process: each of them also gets every change event of the others' databases. */
const REAL_TOGETHER = 10;

/** Groups users by the process that runs their devices. */
export function groupDevices({ people, realEvery }: Plan): DeviceGroup[] {
  const indexes = Array.from({ length: people }, (_, index) => index);
  const real = indexes.filter((index) => index % realEvery === 0);
  const groups: DeviceGroup[] = [{ isReal: false, indexes: indexes.filter((index) => index % realEvery !== 0) }];
  for (let from = 0; from < real.length; from += REAL_TOGETHER) {
    groups.push({ isReal: true, indexes: real.slice(from, from + REAL_TOGETHER) });
  }
  return groups.filter((group) => group.indexes.length > 0);
}

export interface DeviceGroup {
  /** Whether their devices are the client of a browser. */
  isReal: boolean;
  indexes: number[];
}
