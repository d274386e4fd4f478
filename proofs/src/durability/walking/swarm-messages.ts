/** Messages between the process with the devices and its parent. */
import type { AccountId } from '@dostar/protocol/ids';
import type { NetworkFigures } from './ledger.ts';
import type { Person } from './accounts.ts';
import type { Plan, DeviceGroup } from './plan.ts';

export interface SwarmSetup {
  group: DeviceGroup;
  /** All users, by index. */
  people: Person[];
  plan: Plan;
  apis: number[];
  gateways: number[];
  origin: string;
  changesIdOnRetry: boolean;
}

export type SwarmCommand = { t: 'setup'; setup: SwarmSetup } | { t: 'write' } | { t: 'look' } | { t: 'report' };

/** A chat as a device shows it: the numbers of the messages of one sender, in the order shown. */
export interface Shown {
  owner: AccountId;
  sender: AccountId;
  peer: AccountId;
  numbers: number[];
  /** Number of the device's own messages that it does not know to be stored on the server. */
  unsent: number;
}

export type SwarmReply =
  | { t: 'ready' }
  | { t: 'written' }
  | { t: 'progress'; acknowledged: number; arrived: number; online: number }
  | { t: 'report'; figures: NetworkFigures; shown: Shown[] };
