/**
 * From an account key to a device that can read and write.
 *
 * The first browser of an account makes identity, backup and waiting device and puts their secrets into the vault;
 * every later one takes them from there. The vault is written before anything is published: a browser that dies in
 * between leaves secrets without a use, never an identity whose secrets are lost.
 */
import * as contract from '@dostar/protocol/contract/key-backup';
import { AppError } from '@dostar/protocol/errors';
import { toBase64 } from '../crypto/base64.ts';
import type { Engine } from '../crypto/engine/engine.ts';
import { type KeyMetadataStore, REPLACE_DEHYDRATED } from '../crypto/engine/key-metadata.ts';
import type { ClientDeps } from '../deps.ts';
import { adoptIdentity, type IdentityDeps, makeIdentity } from './identity.ts';
import { restoreVault } from './restore-vault.ts';
import { decodeSecrets, encodeSecrets, Secrets } from './secrets.ts';
import { nameAccountKey, readVault, type VaultDeps, writeVault } from './vault.ts';

const KEY_BYTES = 32;

export interface UnlockDeps extends IdentityDeps, VaultDeps, Pick<ClientDeps, 'log'> {
  keyMetadata: KeyMetadataStore;
}

/**
 * Undefined: the account key of this device does not open the vault, or the server offers an older one than seen. Throws
 * `reauthenticate` if the vault was overwritten and can be restored by a session that proves again who it is.
 */
export async function unlock(deps: UnlockDeps, accountKey: Uint8Array<ArrayBuffer>): Promise<Secrets | undefined> {
  let reading = await readVault(deps, 'secrets', accountKey);
  const isSameKey =
    ((await deps.keyMetadata.get('vaultKey')) ?? (await nameAccountKey(accountKey))) ===
    (await nameAccountKey(accountKey));
  const seen = isSameKey ? ((await deps.keyMetadata.get('vaultRev')) ?? 0) : 0;
  if (reading.rev < seen) {
    deps.log('vault rolled back', { seen, rev: reading.rev });
    return undefined;
  }
  if (reading.state === 'closed') {
    reading = await restoreVault(deps, 'secrets', accountKey, { rev: reading.rev, seen });
    deps.log('vault overwritten', { isRestored: reading.state === 'open' });
  }
  if (reading.state === 'closed') return undefined;
  // With another key than before it is a fresh start, and what this device was is not taken into it.
  if (reading.state === 'empty') return makeSecrets(deps, accountKey, { rev: 0, isNew: !isSameKey });
  const secrets = decodeSecrets(reading.plain);
  if (secrets === undefined) return undefined;
  await adoptIdentity(deps, secrets);
  await noteSeen(deps, accountKey, reading.rev);
  return secrets;
}

/** From now on an older one is not opened. */
async function noteSeen({ keyMetadata }: UnlockDeps, accountKey: Uint8Array<ArrayBuffer>, rev: number): Promise<void> {
  await keyMetadata.put('vaultKey', await nameAccountKey(accountKey));
  await keyMetadata.put('vaultRev', rev);
}

/**
 * A new identity, backup and waiting device in one step, over whatever there was: for a person who has lost every way
 * to the old ones. Contacts see that the identity changed.
 */
export async function startFresh(deps: UnlockDeps, accountKey: Uint8Array<ArrayBuffer>): Promise<Secrets> {
  const { rev } = await readVault(deps, 'secrets', accountKey);
  return makeSecrets(deps, accountKey, { rev, isNew: true });
}

/** Throws `stale_revision` if another browser was faster. */
async function makeSecrets(
  deps: UnlockDeps,
  accountKey: Uint8Array<ArrayBuffer>,
  { rev, isNew }: { rev: number; isNew: boolean },
): Promise<Secrets> {
  const { engine, requestSender, random } = deps;
  await requestSender.flushQueries();
  const { identity, publish } = await makeIdentity(deps, isNew);
  const version = await createBackup(deps);
  try {
    const secrets = Secrets.parse({
      v: 1,
      bundle: await exportBundle(engine),
      identity,
      backupMac: toBase64(random(KEY_BYTES)),
      dehydrated: toBase64(random(KEY_BYTES)),
    });
    await writeSecrets(deps, accountKey, rev, secrets);
    await deps.keyMetadata.put('madeVaultKey', await nameAccountKey(accountKey));
    // The device that waited was of the identity before.
    await deps.keyMetadata.put('dehydratedAt', REPLACE_DEHYDRATED);
    await publish();
    await adoptIdentity(deps, secrets);
    return secrets;
  } catch (error) {
    if (error instanceof AppError && error.code === 'stale_revision')
      await deps.call(contract.deleteBackup, { version });
    throw error;
  }
}

/**
 * The same identity with a new backup, whose keys this device uploads again. One that leaked, or that has forged entries,
 * is named as the former: what it has is taken over.
 */
export async function replaceBackup(
  deps: UnlockDeps,
  accountKey: Uint8Array<ArrayBuffer>,
  { isForged }: { isForged: boolean } = { isForged: false },
): Promise<Secrets> {
  const { rev, secrets: before } = await readSecrets(deps, accountKey);
  await deps.engine.machine.disableBackup();
  await createBackup(deps);
  const { isLeaked = false, ...kept } = before;
  const { key, backup_version: version } = before.bundle.backup;
  const secrets: Secrets = {
    ...kept,
    ...(isLeaked && { dehydrated: toBase64(deps.random(KEY_BYTES)) }),
    ...((isLeaked || isForged) && { former: { version, key, mac: before.backupMac } }),
    bundle: Secrets.shape.bundle.parse(await exportBundle(deps.engine)),
    backupMac: toBase64(deps.random(KEY_BYTES)),
  };
  await writeSecrets(deps, accountKey, rev, secrets);
  return secrets;
}

/** Everything of the former backup is in the one in use. */
export async function forgetFormer(deps: UnlockDeps, accountKey: Uint8Array<ArrayBuffer>): Promise<Secrets> {
  const { rev, secrets } = await readSecrets(deps, accountKey);
  const { former, ...kept } = secrets;
  if (former !== undefined) await writeSecrets(deps, accountKey, rev, kept);
  return kept;
}

async function readSecrets(deps: UnlockDeps, accountKey: Uint8Array<ArrayBuffer>) {
  const reading = await readVault(deps, 'secrets', accountKey);
  const secrets = reading.state === 'open' ? decodeSecrets(reading.plain) : undefined;
  if (secrets === undefined) throw new AppError('unavailable');
  return { rev: reading.rev, secrets };
}

async function writeSecrets(
  deps: UnlockDeps,
  accountKey: Uint8Array<ArrayBuffer>,
  rev: number,
  secrets: Secrets,
): Promise<void> {
  const plain = encodeSecrets(secrets);
  await noteSeen(deps, accountKey, await writeVault(deps, 'secrets', accountKey, { rev, plain }));
}

async function createBackup({ engine, call }: UnlockDeps): Promise<string> {
  const { machine, library } = engine;
  using key = library.BackupDecryptionKey.createRandomKey();
  using publicKey = key.megolmV1PublicKey;
  const { algorithm, publicKeyBase64 } = publicKey;
  const data = { public_key: publicKeyBase64 };
  using signatures = await machine.sign(JSON.stringify(data));
  const auth = { ...data, signatures: JSON.parse(signatures.asJSON()) as unknown };
  const { version } = await call(contract.createBackup, { algorithm, auth_data: auth });
  await machine.saveBackupDecryptionKey(key, version);
  return version;
}

async function exportBundle({ machine }: Engine): Promise<unknown> {
  using bundle = await machine.exportSecretsBundle();
  return bundle.to_json();
}
