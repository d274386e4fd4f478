import type { AccountId } from '@dostar/protocol/ids';
import type { Settled } from '@dostar/client/unlocking';

/** What every way of unlocking gets and gives. */
export interface WayProps {
  account: AccountId;
  onSettled: (settled: Settled) => void;
}
