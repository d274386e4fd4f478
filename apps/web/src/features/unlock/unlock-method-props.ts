import type { AccountId } from '@dostar/protocol/ids';
import type { UnlockResult } from '@dostar/client/account-unlock';

/** What every way of unlocking gets and gives. */
export interface UnlockMethodProps {
  account: AccountId;
  onSettled: (settled: UnlockResult) => void;
}
