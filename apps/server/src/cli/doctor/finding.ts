import type { Config } from '../../config.ts';
import type { Clock } from '../../platform/concurrency/clock.ts';
import type { Secrets } from '../../secrets.ts';

/** One thing that is wrong, and what to do about it: a sentence each. */
export interface Finding {
  problem: string;
  remedy: string;
}

export interface CheckInput {
  env: Record<string, string | undefined>;
  config: Config;
  /** Undefined where they could not be read, which is a finding of its own. */
  secrets: Secrets | undefined;
  clock: Clock;
}

export interface Check {
  /** What is looked at, in a word. */
  part: string;
  /** Without them there is nothing to look with. */
  needsSecrets?: boolean;
  run: (input: CheckInput) => Promise<Finding[]>;
}

export function codeOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return typeof code === 'string' ? code : String(message);
}

/** How far a clock that was read between two moments of ours is beside them at least: a slow answer is no wrong clock. */
export function measureSkew(theirs: number, askedAt: number, answeredAt: number): number {
  return Math.max(0, askedAt - theirs, theirs - answeredAt);
}
