/** A part of `./dev check`, CI and `./dev nightly`. */
import type { TimedTest } from './slowest.ts';

/** Each tier includes the one before it. */
export const TIERS = ['check', 'gate', 'nightly'] as const;
export type Tier = (typeof TIERS)[number];

export interface PartResult {
  passed: number;
  failed: number;
  /** Printed if the part failed. */
  output: string;
  cpuMs?: number;
  /** Durations of its tests, if it has any. */
  tests?: TimedTest[];
}

export interface Part {
  name: string;
  tier: Tier;
  /** Time limit in seconds on two quiet cores, beside the other parts of its tier. */
  budget: number;
  /** Required for nightly parts: why the part is not in the gate. */
  why?: string;
  /** Parts that must have passed first. */
  needs?: string[];
  /** True for a part that measures or needs the whole machine: no other part runs at the same time. */
  isAlone?: boolean;
  run(onFailure: (text: string) => void): Promise<PartResult>;
}
