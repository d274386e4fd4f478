/** What a process with part of the browsers is told, and what it reports. */
import type { TestServers } from '@dostar/client/testing/browser';
import type { Copies } from './count-copies.ts';
import type { Tally } from './browser-pool.ts';

export interface Plan {
  accounts: number;
  messages: number;
  /** After so many messages an event happens to a user. */
  faultEvery: number;
  /** After so many messages two miss each other altogether. */
  offlineEvery: number;
  /** For how long nothing may open before the rest is given up. */
  quietMs: number;
}

export interface PoolProcessSetup {
  env: Record<string, string>;
  servers: TestServers['servers'];
  seed: number;
  without: string | undefined;
  plan: Plan;
}

export interface PoolProcessResult {
  tally: Tally;
  copies: Copies;
  /** From the first message to the last. */
  seconds: number;
  processorMs: number;
}

export type PoolProcessEvent = { kind: 'written' } | { kind: 'settling'; copies: Copies } | PoolProcessEnd;
type PoolProcessEnd = { kind: 'ended'; result: PoolProcessResult };
