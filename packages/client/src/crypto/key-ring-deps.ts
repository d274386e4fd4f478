import type { ClientDeps } from '../deps.ts';
import type { EngineLibrary } from './engine/engine.ts';

/** Secrets of this device, by name. */
export interface SecretStore {
  put(name: string, secret: Uint8Array<ArrayBuffer>): Promise<void>;
  get(name: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  delete(name: string): Promise<void>;
}

export interface KeyRingDeps extends Pick<
  ClientDeps,
  'account' | 'baseUrl' | 'fetch' | 'clock' | 'random' | 'indexedDB' | 'IDBKeyRange' | 'log'
> {
  /** Stores the account key under the account's id, and the key of the engine's store under the store's name. */
  secrets: SecretStore;
  loadEngine?: () => Promise<EngineLibrary>;
  /**
   * Called before anything is sent and before a token is stored: on Node the store is in memory until then (disk.ts).
   */
  persist?: () => Promise<void>;
}
