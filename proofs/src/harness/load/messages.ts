/** What the load generator and its parent say to each other. */
import type { AccountId } from '@dostar/protocol/ids';
import type { Cursor } from '@dostar/protocol/mailbox';

export interface Person {
  account: AccountId;
  token: string;
}

/** Where a device stands when it begins to listen. */
export interface Listener extends Person {
  cursor: Cursor;
}

/** What the parent sends first. */
export interface LoadSetup {
  people: Listener[];
  apiPort: number;
  gatewayPort: number;
  origin: string;
  connections: number;
}

/** What the parent asks for after that, any number of times. */
export interface LoadRound {
  warmSeconds: number;
  seconds: number;
  /** Messages per second offered; 0: as many as the connections carry. */
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
  /** The same second by second: the median second hides a burst of other work on the machine. */
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
