/** Messages between the proof and its processes with browsers. */
import type { TestServers } from '@dostar/client/testing/browser';
import type { Copies } from './count-copies.ts';
import type { Tally } from './browser-pool.ts';

export interface Plan {
  accounts: number;
  messages: number;
  /** Number of messages between two faults. */
  faultEvery: number;
  /** Number of messages between two that are sent while their recipient is offline. */
  offlineEvery: number;
  /** How long no copy may become decrypted before the rest is given up. */
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
  /** Seconds from the first message to the last. */
  seconds: number;
  processorMs: number;
}

export type PoolProcessEvent = { kind: 'written' } | { kind: 'settling'; copies: Copies } | PoolProcessEnd;
type PoolProcessEnd = { kind: 'ended'; result: PoolProcessResult };
