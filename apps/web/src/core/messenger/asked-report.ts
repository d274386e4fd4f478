// Somebody can be reported from their chat, from their details and from their request. One dialog, in the root, does it.
import type { AccountId } from '@dostar/protocol/ids';
import { createStore, useStore } from '../lib/store.ts';

interface AskedReport {
  peer: AccountId;
  name: string;
}

const store = createStore<AskedReport | undefined>(undefined);

export function useAskedReport(): AskedReport | undefined {
  return useStore(store, undefined);
}

export function askReport(peer: AccountId, name: string): void {
  store.write({ peer, name });
}

export function endReport(): void {
  store.write(undefined);
}
