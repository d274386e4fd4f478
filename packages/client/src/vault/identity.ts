/** The account's own identity: made once, published, adopted by every new browser, and used to sign its device. */
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
 * account's, and that it has signed this device. The vault overrides the server, since writing it takes the account
 * key.
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
  /** The signed public keys. This device publishes them or, if it dies first, the next one does. */
  identity: Secrets['identity'];
  publish(): Promise<void>;
}

/** Makes an identity, unless this device already has one that it could not publish. Sends nothing yet. */
export async function makeIdentity(
  { engine, requestSender, call }: IdentityDeps,
  isNew: boolean,
): Promise<NewIdentity> {
  const requests = await engine.machine.bootstrapCrossSigning(isNew);
  const identity = keys.uploadSigningKeys.body.required().parse(JSON.parse(requests.uploadSigningKeysRequest.body));
  return {
    identity,
    /**
     * Call it before any query to the server: its answer would name the former identity, and the engine drop the new
     * one.
     */
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

/** Undefined unless the engine has all three private keys. */
async function readSeed({ machine }: Engine): Promise<string | undefined> {
  using seeds = await machine.exportCrossSigningKeys();
  return seeds?.self_signing_key && seeds.userSigningKey ? seeds.masterKey : undefined;
}

/** If the user document lacks the master key, any change of the document makes the server add it. */
export async function publishMasterKey({ engine, call }: IdentityDeps): Promise<void> {
  const key = await readMasterKey(engine, engine.account);
  if (key === undefined) return;
  const { publicKey } = await call(getUser, undefined);
  if (publicKey !== key) await call(updateUser, { documentId: engine.account, data: {} });
}
