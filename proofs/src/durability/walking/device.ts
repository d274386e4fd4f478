import type { AccountId } from '@dostar/protocol/ids';
import type { Probe } from './probe.ts';

/** One message as a device shows it. */
export interface ShownMessage {
  sender: AccountId;
  number: number;
  /** Of one's own: whether the device knows that the server has it. */
  isSent: boolean;
}

export interface Device {
  account: AccountId;
  isOnline(): boolean;
  /** Resolves once the device has it; the rest is the device's business. */
  write(to: AccountId, probe: Probe): Promise<void>;
  /** All of the chat with `peer`, in the order shown. */
  readChat(peer: AccountId): Promise<ShownMessage[]>;
}
