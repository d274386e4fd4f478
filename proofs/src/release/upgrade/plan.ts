import type { Plan } from '../../durability/walking/plan.ts';

export const VARIANTS = ['expand'] as const;
export type Variant = (typeof VARIANTS)[number];

export interface UpgradePlan {
  /** Writing of each of the two groups: one has browsers of the previous version, one of the present version. */
  writing: Plan;
  /** Pause between two steps. */
  pauseMs: number;
}

const SHORT: UpgradePlan = {
  writing: {
    people: 24,
    distances: [1, 2, 3],
    messagesPerPeer: 5,
    realEvery: 8,
    writeMs: 20_000,
    faults: [],
    settleMs: 45_000,
  },
  pauseMs: 500,
};

/** Two hundred messages a second. */
const FULL: UpgradePlan = {
  writing: {
    people: 100,
    distances: [1, 2, 3, 10, 51],
    messagesPerPeer: 24,
    realEvery: 20,
    writeMs: 120_000,
    faults: [],
    settleMs: 120_000,
  },
  pauseMs: 15_000,
};

export function choosePlan(isShort: boolean, without: Variant | undefined): UpgradePlan {
  if (without !== undefined) return { ...SHORT, writing: { ...SHORT.writing, settleMs: 10_000 } };
  return isShort ? SHORT : FULL;
}
