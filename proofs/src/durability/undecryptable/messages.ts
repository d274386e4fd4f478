/** What a quarter of the crowd, a process of its own, is told and tells. */
import type { TestServers } from '@dostar/client/testing/browser';
import type { Copies } from './count-copies.ts';
import type { Tally } from './crowd.ts';

export interface Plan {
  accounts: number;
  messages: number;
  /** After so many messages something happens to somebody. */
  disturbEvery: number;
  /** After so many messages two miss each other altogether. */
  partEvery: number;
  /** For how long nothing may open before the rest is given up. */
  quietMs: number;
}

export interface QuarterSetup {
  env: Record<string, string>;
  servers: TestServers['servers'];
  seed: number;
  without: string | undefined;
  plan: Plan;
}

export interface QuarterResult {
  tally: Tally;
  copies: Copies;
  /** From the first message to the last. */
  seconds: number;
  processorMs: number;
}

export type QuarterNews = { kind: 'written' } | { kind: 'settling'; copies: Copies } | QuarterEnd;
type QuarterEnd = { kind: 'ended'; result: QuarterResult };
