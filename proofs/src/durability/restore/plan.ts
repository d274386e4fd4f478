import type { Plan } from '../walking/plan.ts';

export const VARIANTS = ['raise-epoch', 'redelivery', 'archiving'] as const;
export type Variant = (typeof VARIANTS)[number];

export interface RestorePlan {
  /** Every user has a browser's client: it repairs the mailbox. */
  writing: Plan;
  /** What is lost at most is stated as twice this: until a segment is closed, and until it has left. */
  rpoSeconds: number;
  /** After the last disaster: which clusters are destroyed, one after the other. */
  disasters: ('one shard' | 'everything')[];
  /** Of writing before the first backup, and between the last one and each disaster. */
  quietMs: number;
}

const SHORT: RestorePlan = {
  writing: {
    people: 16,
    distances: [1, 2, 3, 4],
    messagesPerPeer: 16,
    realEvery: 1,
    writeMs: 18_000,
    faults: [],
    isOrderless: true,
    settleMs: 60_000,
  },
  rpoSeconds: 4,
  disasters: ['one shard'],
  quietMs: 1_000,
};

const FULL: RestorePlan = {
  writing: {
    people: 40,
    distances: [1, 2, 3, 4, 10],
    messagesPerPeer: 100,
    realEvery: 1,
    writeMs: 240_000,
    faults: [],
    isOrderless: true,
    settleMs: 180_000,
  },
  rpoSeconds: 10,
  disasters: ['one shard', 'everything'],
  quietMs: 30_000,
};

/** Long enough without archiving that more is lost than is stated, and people still write when it happens. */
const UNARCHIVED: RestorePlan = {
  ...SHORT,
  writing: { ...SHORT.writing, messagesPerPeer: 40, writeMs: 60_000 },
  quietMs: 3 * SHORT.rpoSeconds * 1000,
};

/** `messages`: about so many instead, on a machine that has not the half hour of all of them. */
export function choosePlan(isShort: boolean, without: Variant | undefined, messages?: number): RestorePlan {
  if (without === 'archiving') return UNARCHIVED;
  if (isShort || without !== undefined) return SHORT;
  if (messages === undefined) return FULL;
  const { people, distances } = FULL.writing;
  const messagesPerPeer = Math.ceil(messages / (people * distances.length));
  return { ...FULL, writing: { ...FULL.writing, messagesPerPeer } };
}
