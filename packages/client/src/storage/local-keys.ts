import type { AccountId } from '@dostar/protocol/ids';

export interface LocalKeys {
  /** Returns the key stored under this name, or stores and returns `fresh`. Throws if it can't be stored. */
  getOrAdd(name: string, fresh: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>>;
  delete(name: string): Promise<void>;
}

export function localKeyOf(account: AccountId): string {
  return `local/${account}`;
}
