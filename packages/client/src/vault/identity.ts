/** The account's own identity: made once, published, taken over by every new browser, and signing its device. */
import * as keys from '@dostar/protocol/contract/device-keys';
import { getUser, updateUser } from '@dostar/protocol/contract/users';
import { AppError } from '@dostar/protocol/errors';
import type { Call } from '../net/call.ts';
import type { RequestSender } from '../crypto/engine/request-sender.ts';
import type { Engine } from '../crypto/engine/engine.ts';
import { readMasterKey } from '../crypto/devices/identities.ts';
import type { Secrets } from './secrets.ts';

export interface IdentityDeps {
  engine: Engine;
  requestSender: RequestSender;
  call: Call;
}

/**
 * Makes sure that this device has the secrets of the vault's identity, that the server names that identity as this
 * account's, and that it has signed this device. The vault is believed before the server: only who has the account key
 * can write it.
 */
export async function adoptIdentity(deps: IdentityDeps, { bundle, identity }: Secrets): Promise<void> {
  const { engine, requestSender, call } = deps;
  const { machine, library, account } = engine;
  const named = await requestSender.query([account]);
  if ((await readSeed(engine)) !== bundle.cross_signing.master_key) {
    // The engine frees the bundle.
    await machine.importSecretsBundle(library.SecretsBundle.from_json(bundle));
  }
  if (named.get(account) !== masterKeyOf(identity)) {
    await call(keys.uploadSigningKeys, identity);
    await requestSender.query([account]);
  }
  await signOwnDevice(deps);
}

interface NewIdentity {
  /** The signed public keys: what is published, by this device or, if it dies first, by the next. */
  identity: Secrets['identity'];
  publish(): Promise<void>;
}

/** Makes an identity, unless this device has one already that it could not publish. Nothing leaves the device yet. */
export async function makeIdentity(
  { engine, requestSender, call }: IdentityDeps,
  isNew: boolean,
): Promise<NewIdentity> {
  const requests = await engine.machine.bootstrapCrossSigning(isNew);
  const identity = keys.uploadSigningKeys.body.required().parse(JSON.parse(requests.uploadSigningKeysRequest.body));
  return {
    identity,
    /** Before anything is asked of the server: its answer would name the former identity, and the engine drop the new. */
    async publish() {
      await call(keys.uploadSigningKeys, identity);
      await requestSender.send(requests.uploadSignaturesRequest);
      requests.free();
    },
  };
}

export function masterKeyOf({ master_key: { keys: named } }: Secrets['identity']): string | undefined {
  return Object.values(named)[0];
}

async function signOwnDevice({ engine, requestSender }: IdentityDeps): Promise<void> {
  const { machine, library, account } = engine;
  using id = new library.DeviceId(engine.device);
  using device = await machine.getDevice(engine.user(account), id);
  if (device === undefined) throw new AppError('unavailable');
  if (device.isCrossSignedByOwner()) return;
  await requestSender.send(await device.verify());
  await requestSender.query([account]);
}

/** Undefined unless the engine has all three. */
async function readSeed({ machine }: Engine): Promise<string | undefined> {
  using seeds = await machine.exportCrossSigningKeys();
  return seeds?.self_signing_key && seeds.userSigningKey ? seeds.masterKey : undefined;
}

/** The user document names the master key. Where it does not yet, any change of it makes the server look again. */
export async function publishMasterKey({ engine, call }: IdentityDeps): Promise<void> {
  const key = await readMasterKey(engine, engine.account);
  if (key === undefined) return;
  const { publicKey } = await call(getUser, undefined);
  if (publicKey !== key) await call(updateUser, { documentId: engine.account, data: {} });
}
