/** What the process with the devices and its parent say to each other. */
import type { AccountId } from '@dostar/protocol/ids';
import type { WireFigures } from './ledger.ts';
import type { Person } from './people.ts';
import type { Plan, SeatGroup } from './plan.ts';

export interface SwarmSetup {
  group: SeatGroup;
  /** All of them, by seat. */
  people: Person[];
  plan: Plan;
  apis: number[];
  gateways: number[];
  origin: string;
  isForgetful: boolean;
}

export type SwarmOrder = { t: 'setup'; setup: SwarmSetup } | { t: 'write' } | { t: 'look' } | { t: 'report' };

/** A chat as a device shows it: the numbers of the messages of one sender, in the order shown. */
export interface Shown {
  owner: AccountId;
  sender: AccountId;
  peer: AccountId;
  numbers: number[];
  /** Of one's own: those the device does not know to be with the server. */
  unsent: number;
}

export type SwarmAnswer =
  | { t: 'ready' }
  | { t: 'written' }
  | { t: 'progress'; acknowledged: number; arrived: number; online: number }
  | { t: 'report'; figures: WireFigures; shown: Shown[] };
