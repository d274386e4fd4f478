/**
 * The dehydrated device receives keys while no browser is signed in. With them the next browser decrypts the messages
 * of that time.
 */
import * as contract from '@dostar/protocol/contract/key-backup';
import { AppError } from '@dostar/protocol/errors';
import type { MatrixDevice } from '@dostar/protocol/matrix-ids';
import { fromBase64 } from '../crypto/base64.ts';
import type { Call } from '../net/call.ts';
import type { Engine } from '../crypto/engine/engine.ts';
import { type KeyMetadataStore, REPLACE_DEHYDRATED } from '../crypto/engine/key-metadata.ts';
import type { ClientDeps } from '../deps.ts';

const LIFETIME_MS = 30 * 86_400_000;
/** How often a browser reads the queue: normally, and while keys of messages are missing. */
const VISIT_INTERVAL_MS = 86_400_000;
const STUCK_VISIT_INTERVAL_MS = 600_000;
/** New events in every round could prevent the renewal forever; the next visit tries again. */
const MAX_ROUNDS = 5;

interface DehydratedDeps extends Pick<ClientDeps, 'log'> {
  engine: Engine;
  call: Call;
  key: string;
  /** Called with the events of the queue. */
  observeEvents(events: readonly object[]): void;
  /** Backs up all keys from the queue; called before the device is replaced. */
  backUp(): Promise<void>;
}

/**
 * Visits the dehydrated device unless this browser did so lately. Missing keys of messages are a reason to visit it
 * soon: this device's channel to the sender broke, but the dehydrated device got the key too.
 */
export async function visitDehydratedIfDue(
  deps: DehydratedDeps & Pick<ClientDeps, 'clock'> & { keyMetadata: KeyMetadataStore },
  isStuck: boolean,
): Promise<void> {
  const { clock, keyMetadata, log } = deps;
  const visitedAt = await keyMetadata.get('dehydratedAt');
  const every = isStuck ? STUCK_VISIT_INTERVAL_MS : VISIT_INTERVAL_MS;
  if (visitedAt !== undefined && clock.now() - visitedAt < every) return;
  // A dehydrated device of a former identity or key has to be replaced at any age.
  const isRenewed = await visitDehydrated(deps, visitedAt === REPLACE_DEHYDRATED ? 0 : LIFETIME_MS);
  await keyMetadata.put('dehydratedAt', clock.now());
  log('dehydrated device visited', { isRenewed });
}

/**
 * Reads the queue of the dehydrated device into the backup. Replaces the device only if there is none, it is old, or this
 * browser can't open it: every replacement costs each contact new keys. Returns whether it was replaced.
 */
async function visitDehydrated(deps: DehydratedDeps, lifetimeMs: number): Promise<boolean> {
  const current = await findDehydrated(deps.call);
  const heard = current && (await readAll(deps, current));
  if (heard !== undefined) await deps.backUp();
  if (current !== undefined && heard !== undefined && current.age_ms < lifetimeMs) return false;
  await renewDehydrated(deps);
  return true;
}

/** The dehydrated device may have keys that no other device has: they are backed up before it is deleted. */
export async function renewDehydrated(deps: DehydratedDeps): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const current = await findDehydrated(deps.call);
    const heard = current && (await readAll(deps, current));
    if (current !== undefined) await deps.backUp();
    if (await putNew(deps, current?.device_id ?? null, heard)) return;
  }
  throw new AppError('unavailable');
}

type Current = { device_id: MatrixDevice; device_data: Record<string, unknown>; age_ms: number };

async function findDehydrated(call: Call): Promise<Current | undefined> {
  try {
    return await call(contract.getDehydratedDevice, undefined);
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** Returns how far its queue was read; undefined for a device that can't be opened. */
async function readAll(deps: DehydratedDeps, current: Current): Promise<string | undefined> {
  try {
    return await readQueue(deps, current);
  } catch (error) {
    if (error instanceof AppError) throw error;
    // The device belongs to a former identity, whose key is gone: it has to be replaced.
    deps.log('dehydrated device not opened', { error });
    return undefined;
  }
}

async function readQueue({ engine, call, key, observeEvents }: DehydratedDeps, current: Current): Promise<string> {
  const { machine, library } = engine;
  const { device_id: id, device_data: data } = current;
  using dehydrated = library.DehydratedDeviceKey.createKeyFromArray(fromBase64(key));
  using devices = machine.dehydratedDevices();
  using device = await devices.rehydrate(dehydrated, new library.DeviceId(id), JSON.stringify(data));
  let from: string | undefined;
  for (;;) {
    const page = await call(contract.listDehydratedEvents, {
      device_id: id,
      ...(from !== undefined && { next_batch: from }),
    });
    if (page.events.length === 0) return page.next_batch;
    observeEvents(page.events);
    const settings = new library.DecryptionSettings(library.TrustRequirement.Untrusted);
    for (const info of await device.receiveEvents(JSON.stringify(page.events), settings)) info.free();
    from = page.next_batch;
  }
}

/** False if the former device got further events after its queue was read. */
async function putNew({ engine, call, key }: DehydratedDeps, replaces: MatrixDevice | null, heard?: string) {
  const { machine, library } = engine;
  using dehydrated = library.DehydratedDeviceKey.createKeyFromArray(fromBase64(key));
  using devices = machine.dehydratedDevices();
  using device = await devices.create();
  using request = await device.keysForUpload('waits', dehydrated);
  try {
    const put = { device: JSON.parse(request.body) as never, replaces };
    await call(contract.putDehydratedDevice, { ...put, ...(heard !== undefined && { heard }) });
    return true;
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'stale_revision')) throw error;
    // Another browser of this account was faster, and its replacement serves as well.
    return replaces === null || error.details?.['device_id'] !== replaces;
  }
}
