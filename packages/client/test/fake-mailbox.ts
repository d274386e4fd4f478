import type { Entry, Register } from '@dostar/protocol/mailbox';

/** An account's mailbox on the fake server. */
export interface Mailbox {
  log: Entry[];
  /** The number of the call that wrote each entry: both copies of a message have the same one. */
  calls: number[];
  registers: Map<string, Register>;
  rev: number;
}
