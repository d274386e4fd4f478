import type { Config } from '../../config.ts';
import type { Clock } from '../../platform/concurrency/clock.ts';
import type { Secrets } from '../../secrets.ts';

/** One problem, and how to fix it: a sentence each. */
export interface Finding {
  problem: string;
  remedy: string;
}

export interface CheckInput {
  env: Record<string, string | undefined>;
  config: Config;
  /** Undefined if they could not be read, which is a finding of its own. */
  secrets: Secrets | undefined;
  clock: Clock;
}

export interface Check {
  /** What is checked, in one word. */
  part: string;
  /** Skipped if the secrets could not be read. */
  needsSecrets?: boolean;
  /** Why there is nothing to look at in this installation, if so. */
  skip?: (input: CheckInput) => string | undefined;
  run: (input: CheckInput) => Promise<Finding[]>;
}

export function codeOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return typeof code === 'string' ? code : String(message);
}

/** The least by which a clock is wrong that was read between two times of ours. A slow answer does not count as skew. */
export function measureSkew(theirs: number, askedAt: number, answeredAt: number): number {
  return Math.max(0, askedAt - theirs, theirs - answeredAt);
}
