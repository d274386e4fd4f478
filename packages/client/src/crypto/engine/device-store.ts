/**
 * The engine's store of this device, in this browser.
 *
 * A store belongs to one device, and a device to one store: keys once published under a device's name can't be
 * replaced. So a browser that has lost its store, or finds another one in its place, becomes a new device.
 */
import { AppError } from '@dostar/protocol/errors';
import type { AccountId, DeviceId } from '@dostar/protocol/ids';
import { type Engine, engineDatabases, type EngineLibrary, openEngine } from './engine.ts';
import type { KeyMetadataStore } from './key-metadata.ts';
import type { KeyRingDeps, SecretStore } from '../key-ring-deps.ts';

const KEY_BYTES = 32;

interface StoreDeps extends Pick<KeyRingDeps, 'account' | 'random' | 'indexedDB'> {
  secrets: SecretStore;
  keyMetadata: KeyMetadataStore;
}

/** Throws `key_conflict` if the store of this device is gone. */
export async function openDeviceStore(deps: StoreDeps, library: EngineLibrary, device: DeviceId): Promise<Engine> {
  const { account, random, secrets, keyMetadata } = deps;
  const name = storeNameOf(account, device);
  const known = await keyMetadata.get('device');
  if (known?.id !== device) {
    // Also under the new name: a store there was encrypted under a key that is gone.
    for (const one of known === undefined ? [device] : [known.id, device]) await deleteDeviceStore(deps, one);
    await secrets.put(name, new Uint8Array(random(KEY_BYTES)));
    await keyMetadata.put('device', { id: device });
  }
  const key = await secrets.get(name);
  if (key === undefined) throw new AppError('key_conflict');
  const engine = await openEngine(library, { account, device, store: { name, key } });
  const fingerprint = known?.id === device ? known.fingerprint : undefined;
  if (fingerprint !== undefined && fingerprint !== engine.fingerprint) {
    // The engine has silently made a new store in place of the old one.
    engine.close();
    throw new AppError('key_conflict');
  }
  await keyMetadata.put('device', { id: device, fingerprint: engine.fingerprint });
  return engine;
}

/** The engine must be closed. */
export async function deleteDeviceStore(deps: StoreDeps, device: DeviceId): Promise<void> {
  const name = storeNameOf(deps.account, device);
  await deps.keyMetadata.clear();
  await deps.secrets.delete(name);
  for (const database of engineDatabases(name)) await deleteDatabase(globalThis.indexedDB, database);
}

function storeNameOf(account: AccountId, device: DeviceId): string {
  return `dostar/engine/${account}/${device}`;
}

function deleteDatabase(indexedDB: IDBFactory, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    // Another tab still has it open and will close it in a moment: the browser deletes it then.
    request.addEventListener('blocked', () => resolve());
    request.addEventListener('success', () => resolve());
    request.addEventListener('error', () => reject(new Error('database not deleted', { cause: request.error })));
  });
}
