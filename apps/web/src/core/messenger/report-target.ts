// A user can be reported from the chat, from the details and from a request; one dialog in the root serves all.
import type { AccountId } from '@dostar/protocol/ids';
import { createStore, useStore } from '../lib/store.ts';

interface ReportTarget {
  peer: AccountId;
  name: string;
}

const store = createStore<ReportTarget | undefined>(undefined);

export function useReportTarget(): ReportTarget | undefined {
  return useStore(store, undefined);
}

export function openReportDialog(peer: AccountId, name: string): void {
  store.write({ peer, name });
}

export function closeReportDialog(): void {
  store.write(undefined);
}
