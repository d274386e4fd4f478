import type { AccountId } from '@dostar/protocol/ids';
import type { UnlockResult } from '@dostar/client/account-unlock';

/** Props of every unlock method. */
export interface UnlockMethodProps {
  account: AccountId;
  onSettled: (settled: UnlockResult) => void;
}
