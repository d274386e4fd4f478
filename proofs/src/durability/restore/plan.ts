import type { Plan } from '../walking/plan.ts';

export const VARIANTS = ['raise-epoch', 'redelivery', 'archiving'] as const;
export type Variant = (typeof VARIANTS)[number];

export interface RestorePlan {
  /** Every user runs the client of a browser, which repairs the mailbox. */
  writing: Plan;
  /** The stated RPO is twice this: up to one interval until a segment is closed, and one until it is archived. */
  rpoSeconds: number;
  /** The clusters to destroy, one disaster after the other. */
  disasters: ('one shard' | 'everything')[];
  /** How long users write before the first backup, and between the last backup and each disaster. */
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

/** Without archiving long enough that more than the stated RPO is lost, and users still write at the disaster. */
const UNARCHIVED: RestorePlan = {
  ...SHORT,
  writing: { ...SHORT.writing, messagesPerPeer: 40, writeMs: 60_000 },
  quietMs: 3 * SHORT.rpoSeconds * 1000,
};

/** `messages`: the approximate number of messages, for a machine without time for the full half hour. */
export function choosePlan(isShort: boolean, without: Variant | undefined, messages?: number): RestorePlan {
  if (without === 'archiving') return UNARCHIVED;
  if (isShort || without !== undefined) return SHORT;
  if (messages === undefined) return FULL;
  const { people, distances } = FULL.writing;
  const messagesPerPeer = Math.ceil(messages / (people * distances.length));
  return { ...FULL, writing: { ...FULL.writing, messagesPerPeer } };
}
