/** What a part of `./dev check`, CI and `./dev nightly` is. */
import type { TimedTest } from './slowest.ts';

/** Each tier contains the one before it. */
export const TIERS = ['check', 'gate', 'nightly'] as const;
export type Tier = (typeof TIERS)[number];

export interface PartResult {
  passed: number;
  failed: number;
  /** Printed if the part failed. */
  output: string;
  cpuMs?: number;
  /** How long each of its tests took, if it has tests. */
  tests?: TimedTest[];
}

export interface Part {
  name: string;
  tier: Tier;
  /** Seconds it may take on two quiet cores beside the other parts of its tier. */
  budget: number;
  /** Required for nightly parts: why the gate can't have it. */
  why?: string;
  /** Parts that must have passed first. */
  needs?: string[];
  /** It measures, or needs the whole machine: nothing else runs meanwhile. */
  isAlone?: boolean;
  run(onFailure: (text: string) => void): Promise<PartResult>;
}
