import type { Entry, Register } from '@dostar/protocol/mailbox';

/** An account's mailbox at the end of the wire. */
export interface Mailbox {
  log: Entry[];
  /** The call that wrote each entry: both copies of a message are of one. */
  calls: number[];
  registers: Map<string, Register>;
  rev: number;
}
