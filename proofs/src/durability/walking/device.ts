import type { AccountId } from '@dostar/protocol/ids';
import type { Probe } from './probe.ts';

/** One message as a device shows it. */
export interface ShownMessage {
  sender: AccountId;
  number: number;
  /** For the device's own messages: true once it knows that the server has stored the message. */
  isSent: boolean;
}

export interface Device {
  account: AccountId;
  isOnline(): boolean;
  /** Resolves once the device has accepted the message; the device sends it later. */
  write(to: AccountId, probe: Probe): Promise<void>;
  /** All messages of the chat with `peer`, in the order shown. */
  readChat(peer: AccountId): Promise<ShownMessage[]>;
}
