/** Messages between the load generator and its parent process. */
import type { AccountId } from '@dostar/protocol/ids';
import type { Cursor } from '@dostar/protocol/mailbox';

export interface Person {
  account: AccountId;
  token: string;
}

/** A user with the cursor from which their device resumes. */
export interface Listener extends Person {
  cursor: Cursor;
}

/** The first message of the parent. */
export interface LoadSetup {
  people: Listener[];
  apiPort: number;
  gatewayPort: number;
  origin: string;
  connections: number;
}

/** Requested by the parent any number of times after the setup. */
export interface LoadRound {
  warmSeconds: number;
  seconds: number;
  /** Messages per second; 0 sends as many as the connections carry. */
  rate: number;
}

export interface LoadReport {
  seconds: number;
  acknowledged: number;
  arrived: number;
  /** From the first byte of the request to the recipient's socket, in milliseconds. */
  p50: number;
  p99: number;
  ackP50: number;
  ackP99: number;
  /** Percentiles of each second: the median second hides a burst of other work on the machine. */
  bySecond: { arrived: number; p99: number; ackP99: number }[];
  /** Over the whole life of the process. */
  totals: {
    acknowledged: number;
    refused: number;
    arrived: number;
    missing: number;
    unexpected: number;
    disordered: number;
  };
}
